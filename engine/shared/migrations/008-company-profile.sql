-- Firmographics as the source writes them, and the domain of most addresses of a company's people.
ALTER TABLE company
  ADD COLUMN employees text,
  ADD COLUMN revenue text,
  ADD COLUMN founded text,
  ADD COLUMN legal_name text,
  ADD COLUMN registration_number text,
  ADD COLUMN parent text,
  ADD COLUMN description text,
  ADD COLUMN mail_domain text;

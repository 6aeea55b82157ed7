-- Which team a login belongs to. A database of one team has no row here, and every row of its
-- tables is of tenant 1. On a server that teams share, a login without a row sees nothing.

CREATE TABLE tenant (
  tenant_id int PRIMARY KEY,
  name text NOT NULL UNIQUE
);
INSERT INTO tenant VALUES (1, 'team');

CREATE TABLE tenant_login (
  login name PRIMARY KEY,
  tenant_id int NOT NULL REFERENCES tenant
);

-- session_user, because a client can change current_user by SET ROLE, and a setting by SET.
CREATE FUNCTION desk_tenant() RETURNS int LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = desk, pg_temp
RETURN CASE
  WHEN EXISTS (SELECT FROM tenant_login)
  THEN (SELECT tenant_id FROM tenant_login WHERE login = session_user)
  ELSE 1
END;

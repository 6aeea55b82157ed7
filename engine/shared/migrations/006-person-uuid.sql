-- A review and a remembered decision find people by their UUID. A hash index takes half the room of
-- a tree.
CREATE INDEX person_uuid ON person USING hash (uuid);

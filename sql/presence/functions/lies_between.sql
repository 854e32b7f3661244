-- Returns whether a point on the extended line of an edge lies on the edge itself. BETWEEN is not used, because
-- PostgreSQL prints two joined BETWEEN conditions differently after a dump and restore.
create or replace function lies_between(
  x1 double precision, y1 double precision, x2 double precision, y2 double precision,
  x double precision, y double precision
) returns boolean language sql immutable parallel safe
return x >= least(x1, x2) and x <= greatest(x1, x2) and y >= least(y1, y2) and y <= greatest(y1, y2)

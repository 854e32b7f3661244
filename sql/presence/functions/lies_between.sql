-- Returns whether a point on the extended line of an edge lies on the edge itself.
create or replace function lies_between(
  x1 double precision, y1 double precision, x2 double precision, y2 double precision,
  x double precision, y double precision
) returns boolean language sql immutable parallel safe
return x between least(x1, x2) and greatest(x1, x2) and y between least(y1, y2) and greatest(y1, y2)

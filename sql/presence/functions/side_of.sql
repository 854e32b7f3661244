-- Returns 1 if a point is to the left of the directed line from one point to another, -1 to the right, and 0 on the
-- line (J. O'Rourke, Computational Geometry in C, 1998, section 1.3).
create or replace function side_of(
  x1 double precision, y1 double precision, x2 double precision, y2 double precision,
  x double precision, y double precision
) returns double precision language sql immutable parallel safe
return sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1))

-- Returns 1 for a point left of a directed line, -1 for a point right of it, and 0 on it. The formula is from section
-- 1.3 of O'Rourke, "Computational Geometry in C" (1998).
create or replace function side_of(
  x1 double precision, y1 double precision, x2 double precision, y2 double precision,
  x double precision, y double precision
) returns double precision language sql immutable parallel safe
return sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1))

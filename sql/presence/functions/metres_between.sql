-- Returns the distance between two places in meters, on a sphere with the Earth's mean radius of 6,371,008.8 m. The
-- function uses the haversine formula (Sinnott, "Virtues of the Haversine", 1984).
create or replace function metres_between(
  latitude_a double precision, longitude_a double precision,
  latitude_b double precision, longitude_b double precision
) returns double precision language sql immutable parallel safe strict
return 2 * 6371008.8 * asin(least(1, sqrt(
  sind((latitude_b - latitude_a) / 2) ^ 2
  + cosd(latitude_a) * cosd(latitude_b) * sind((longitude_b - longitude_a) / 2) ^ 2)))

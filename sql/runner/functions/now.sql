-- Domain time, which every rule about dates and ages uses. Statements call domain_now(), because a bare now() always
-- means pg_catalog.now(). The function has no COMMENT, because COMMENT ON now() would apply to pg_catalog.now().
create or replace function now() returns timestamptz
language sql stable parallel safe
return domain_now();

-- Domain time: what every rule about dates and ages asks. Statements say domain_now(), because a bare
-- now() always means pg_catalog.now().
create or replace function now() returns timestamptz
language sql stable parallel safe
return domain_now();

comment on function now() is 'Domain time: what every rule about dates and ages asks.'

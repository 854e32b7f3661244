-- Reports the month before each occurrence, in the time zone of the tenant. $1 ids of the tenants, $2 the occurrences.
-- Rows: the tenant, the tenant's address, and the month. Locks: the new rows. Index: invoice_of_tenant.
with month as (
  select t.id, t.zone, date_trunc('month', o.at at time zone t.zone) - interval '1 month' as start
  from unnest($1::bigint[], $2::timestamptz[]) o (tenant, at)
  join tenant t on t.id = o.tenant
),
reported as (
  insert into report (tenant, month, invoices, cents)
  select m.id, m.start::date, count(i.id), coalesce(sum(i.cents), 0)
  from month m
  left join invoice i on i.tenant = m.id and i.issued_at >= m.start at time zone m.zone
    and i.issued_at < (m.start + interval '1 month') at time zone m.zone
  group by m.id, m.start
  returning tenant, month
)
select r.tenant, t.email, to_char(r.month, 'YYYY-MM')
from reported r
join tenant t on t.id = r.tenant

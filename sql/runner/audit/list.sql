-- Lists manual actions, newest first. $1: the start of the time range. $2: the exclusive end of the time range. $3: an
-- action. $4: a login, a role or an operating system user. $5 and $6: the day and the number of the row before which
-- the list starts. A null parameter applies no filter. $7: the maximum number of rows. Rows: id, time, login, role,
-- user@host, action, subject, state before, state after, filter, count, all columns as one JSON object. Locks: none.
-- Index: audit_pkey, in descending order.
select a.day || '/' || a.number, iso_text(a.at, '.MS'), a.login, a.role, a.os_user || '@' || a.host, a.action,
  a.subject::text, a.before::text, a.after::text, a.filter::text, a.count,
  jsonb_build_object('id', a.day || '/' || a.number, 'at', iso_text(a.at, '.US'), 'login', a.login,
    'role', a.role, 'os_user', a.os_user, 'host', a.host, 'program', a.program, 'application', a.application,
    'client', host(a.client), 'action', a.action, 'subject', a.subject, 'before', a.before, 'after', a.after,
    'filter', a.filter, 'count', a.count, 'hash', encode(a.hash, 'hex'))::text
from audit a
where (a.day, a.number) < (coalesce($5::text::date, 'infinity'), coalesce($6::integer, 0))
  and a.day >= coalesce(($1::timestamptz at time zone 'UTC')::date, '-infinity')
  and ($1 is null or a.at >= $1) and ($2::timestamptz is null or a.at < $2)
  and ($3::text is null or a.action = $3) and ($4::text is null or $4 in (a.login, a.role, a.os_user))
order by a.day desc, a.number desc
limit $7

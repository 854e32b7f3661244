-- Lists reports, oldest first. $1: true for all reports, false for open reports only. $2: the creation time after which
-- the list starts, or null. $3: the id after which the list starts, or null. $4: the maximum number of reports. Rows:
-- the id, the creation time as text, and the creation time as a timestamp for the next call's $2. The next columns are
-- the id and the name of the reporter (null for a deleted reporter), and of the reported user. The next columns are the
-- group, the reason, the note, and two nulls, because this schema has no messages. The last columns are the closing
-- time and the login (null for an open report). Locks: none. Indexes: user_report_open, user_report_age, users_pkey.
select r.id, iso_text(r.created_at), r.created_at, r.reporter::text, a.display_name, r.reported::text, b.display_name,
  r.group_id::text, r.reason::text, r.note, null::uuid, null::text, iso_text(r.closed_at), r.closed_by
from user_report r
left join users a on a.id = r.reporter
join users b on b.id = r.reported
where ($1::boolean or r.closed_at is null)
  and (r.created_at, r.id)
    > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
order by r.created_at, r.id
limit $4

-- Returns the time of a user's last known activity. An activity is the end of a session, an arrival, a departure, a
-- device report, a message, or joining a group. If no activity is known, the result is null. Index: session_of_user,
-- presence_user, message_bucket_pkey, member_user.
create or replace function last_activity(of_user text) returns timestamptz
language sql stable
return greatest(
  (select max(s.expires_at) from session s where s.user_id = of_user),
  (select max(greatest(p.changed_at, p.heard_at)) from presence p where p.user_id = of_user),
  (select max(b.full_at) from message_bucket b where b.user_id = of_user),
  (select max(m.joined_at) from member m where m.user_id = of_user and m.left_at is null))

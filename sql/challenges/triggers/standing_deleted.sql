-- An unread notice goes with its standing. Retention removes standings in bulk whose notices are gone.
create or replace trigger standing_deleted after delete on standing
for each row
when (old.notice_id is not null and old.notice_created_at > domain_now() - notice_lifetime())
execute function standing_deleted()

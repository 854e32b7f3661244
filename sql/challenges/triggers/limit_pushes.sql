-- Applies the configured rate to the jobs that send push notifications.
create or replace trigger limit_pushes before insert or update on job_limit
for each row when (new.job in ('push-rank-change', 'push-notification', 'push-webhook')) execute function limit_pushes()

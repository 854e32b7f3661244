-- The name of the channel on which writers notify workers and observers. It is random, because each login can listen to
-- each channel, and names of feeds and keys of jobs would otherwise reach other roles.
alter table event_segment
  add column channel text not null default 'baton_' || replace(gen_random_uuid()::text, '-', '');

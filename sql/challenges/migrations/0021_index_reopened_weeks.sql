-- The end of each run of close-week searches for the week that must be closed next.
create index challenge_reopened on challenge (reopened_until) where state = 'open' and reopened_until is not null;

-- Whether the actor shares workouts. $1 actor, $2 whether. Rows: one, empty. Locks: docs/write-path.md.
select from update_privacy_settings($1, $2)

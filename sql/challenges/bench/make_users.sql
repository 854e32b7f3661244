-- Creates users without a group. $1: the number of users. Rows: one row for each created user. Locks: the new rows.
insert into users (id, display_name)
select 'walker-' || u, 'Walker ' || u from generate_series(1, $1::bigint) u

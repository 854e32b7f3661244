-- Locks boards whose ranks have changed since their members were last notified. $1: the last board of the previous
-- step. $2: the maximum number of boards. Rows: the id of each locked board. Locks: the publish locks of the boards, in
-- order of id. If a publisher has locked a board, the statement waits for the publisher. Index: board_version_untold.
select challenge_id from board_version
where not is_told and challenge_id > $1
order by challenge_id
limit $2
for update

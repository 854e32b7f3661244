-- What note_publishes has noted of check-ins boards of each so-manieth group. $1 that number.
-- Rows: group, version, when it was about to commit. Locks: none. Reads all of them.
select c.group_id::text, p.rank_version, max(t.at)
from published p
join publish_commit t on t.xmin = p.xmin
join challenge c on c.id = p.challenge_id and c.type = 'check-ins'
where substr(c.group_id, 7)::bigint % $1::bigint = 0
group by 1, 2

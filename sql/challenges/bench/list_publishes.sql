-- The published versions of check-ins boards that note_publishes recorded, of every n-th group. $1 n. Rows: group,
-- version, time shortly before the commit. Locks: none. Reads all of them.
select c.group_id::text, p.rank_version, max(t.at)
from published p
join publish_commit t on t.xmin = p.xmin
join challenge c on c.id = p.challenge_id and c.type = 'check-ins'
where substr(c.group_id, 7)::bigint % $1::bigint = 0
group by 1, 2

-- Lists the published versions of check-in boards that note_publishes recorded, for every nth group. $1: the number n.
-- Rows: the group, the version, the time shortly before the commit. Locks: none. The statement reads the whole table of
-- recorded versions.
select c.group_id::text, p.rank_version, max(t.at)
from published p
join publish_commit t on t.xmin = p.xmin
join challenge c on c.id = p.challenge_id and c.type = 'check-ins'
where substr(c.group_id, 7)::bigint % $1::bigint = 0
group by 1, 2

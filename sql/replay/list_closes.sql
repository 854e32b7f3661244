-- When boards that are kept were closed, oldest first, by the development clock.
-- Rows: the instant. Locks: none. Reads the boards that are kept.
select closed_at
from challenge
where closed_at is not null
group by closed_at
order by closed_at

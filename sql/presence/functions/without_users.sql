-- Returns a place's JSON document without the hidden users. If users are hidden, the number of present users and the
-- latest users' ids come from the remaining presences. If the user who arrived first is hidden, `firstToday` is null.
create or replace function without_users(place jsonb, hidden text[]) returns jsonb
language sql stable
return case when cardinality(hidden) = 0 then place else (
  select place || jsonb_build_object(
    'presences', v.those,
    'summary', place -> 'summary' || jsonb_build_object(
      'presentCount', jsonb_array_length(v.those),
      'latest', jsonb_path_query_array(v.those, '$[0 to 4].userId'),
      'firstToday', case
        when not place #>> '{summary,firstToday}' = any (hidden) then place #> '{summary,firstToday}' end))
  from (
    select coalesce(jsonb_agg(p.it order by p.n) filter (where p.it ->> 'userId' <> all (hidden)), '[]') as those
    from jsonb_array_elements(place -> 'presences') with ordinality p (it, n)) v) end

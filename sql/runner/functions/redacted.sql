-- Replaces addresses with `[address]` and passwords with `[password]`, for viewers who may not see personal data. The
-- result is null for null. In a URL, the whole user information and all hosts are replaced. The values of names that
-- end with a word such as `password` or `token` are replaced too. `/`, `:` and `=` end an address, because keys contain
-- them, except that `/` and `=` can follow a `+`. Other texts are returned after one search, because pages call the
-- function for each row. Up to the first `[`, the result equals the original, which find_keyed_runs relies on.
create or replace function redacted(original text) returns text
language sql immutable parallel safe
return case when original !~* '@|＠|%(25)*40|pass|pwd|secret|token' then original
  else regexp_replace(regexp_replace(regexp_replace(original,
    -- The user information of a URL ends at the last @, because passwords contain @, / and :.
    '([a-z][a-z0-9+.-]*://)\S*(?:@|＠|%(?:25)*40)(?:\[[^]\s]*\]|[^][\s/?#&"''<>])*', '\1[address]', 'gi'),
    '(password|passwd|passphrase|pwd|secret|token)(["'']?\s*[=:]\s*|\s+(?=["'']))'
      '(?:"(?:[^"\\]|\\.)*(?:"|$)|''(?:[^''\\]|\\.|'''')*(?:''|$)|[^\s&"''\\](?:[^\s&\\]|\\.)*)',
    '\1\2[password]', 'gi'),
    '(?:"(?:[^"\\]|\\.)*"|[^]\s@<>"''(),;:=/\\[](?:''?[^]\s<>"''(),;:=/\\[])*(?:\+[^]\s<>"(),;:\\[]*)?)'
      '(?:@|＠|%(?:25)*40)(?:\[[^]\s]*\]|[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*|[^]\s@<>"''(),;:=/?&\\[]+)',
    '[address]', 'gi')
  end

-- Replaces addresses with `[address]` and passwords with `[password]`, for viewers who may not see personal data. If
-- the text is null, the result is null. In a URL, the whole user information and all hosts are replaced. The values of
-- names such as `password` or `token` are replaced too. A value in a URL's query ends at `&`, and other values end at
-- whitespace outside of quotes. The characters `/`, `:` and `=` are not part of an address, because run keys can
-- contain an address between these characters. Exceptions: a quoted name or an IP address can contain these characters,
-- and the part after a `+` can contain `/` and `=`. A text without addresses and passwords is returned after one
-- search, because the dashboard's pages call the function for each row. Up to the first `[`, the result equals the
-- original text.
create or replace function redacted(original text) returns text
language sql immutable parallel safe
return case when original !~* (
    '[@＠﹫]|%(25)*40|u0040|&(#(64|x40)|commat);|pass|kennwort|pwd|pw\M|credential|secret|token'
    '|(api|access|private)[_-]?key|[?&]\S*(key|sig|%[0-9a-f]{2})'
    '|authorization|bearer|cookie|:(\\?/){2}|missing "="|:(5432|6432|\*):') then original
  else regexp_replace(regexp_replace(
    case when original !~* (
      'pass|kennwort|pwd|pw\M|credential|secret|token|(api|access|private)[_-]?key|[?&]\S*(key|sig|%[0-9a-f]{2})'
      '|authorization|bearer|cookie|missing "="|:(5432|6432|\*):') then original
    else regexp_replace(regexp_replace(regexp_replace(original,
      -- The name of a parameter may be percent-encoded.
      '([?&][^\s=&?]*(?:pass|kennwort|pwd|secret|token|key|sig|%[0-9a-f]{2})[^\s=&?]*=)[^\s&]*', '\1[password]', 'gi'),
      -- The next expression matches lines of a password file, command arguments, messages of libpq and HTTP headers.
      '(:(?:5432|6432|\*):[^:\s]+:[^:\s]+:(?=\S)|--[a-z0-9-]*(?:password|secret|token)\s+(?=[^\s"''`-])'
        '|missing "=" after (?=")|(?:authorization|\mcookie)\\?["'']?\s*[=:]\s*|\mbearer\s+(?=\S{8}))'
        '(?!\[password\])(?:"[^"]*(?:"|$)|[^\s"][^\n]*)', '\1[password]', 'gi'),
      '(password|passwd|passwort|passphrase|passcode|kennwort|pwd|credentials?|secret|token'
        '|(?:api|access|private)[_-]?key|pw(?=\s*=)|pass(?=\\?["''`]|\s*=|:\s))'
        '((?:[_-]?(?:[0-9]+|key|hash|value|text))?(?:\[\w*\])?'
        '(?:\\*["''`]?[\s\u00a0]*(?:value\s*)?(?:[=:＝：]|-?>)[\s\u00a0=:＝：>]*(?![\s\u00a0=:＝：>])'
        '|\s+(?=(?:e|u&)?\\*["''`]|\$\w*\$)))(?!\[password\])'
        '(?:(?:e|u&|\$)?(?:"(?:[^"\\]|\\.|"")*(?:"|$)|''(?:[^''\\]|\\.|'''')*(?:''|$)|`[^`]*(?:`|$))'
          '(?:[^]\s\\,;:)}>&"''`](?:[^\s\\]|\\.)*)?'
        '|\\+"(?:[^"\\]|\\\\(?:\\.)?)*(?:\\+"|$)|\$\w*\$[^$]*(?:\$\w*\$|$)'
        '|(?:[^\s"''`\\]|\\[^"])(?:[^\s\\]|\\.|''(?:[^''\\]|\\.)*''|"(?:[^"\\]|\\.)*")*)',
      '\1\2[password]', 'gi')
    end,
    -- The user information of a URL ends at the last @, because passwords contain @, /, : and blanks. A URL port that
    -- is not a number is part of a password.
    '([a-z][a-z0-9+.-]*:(?:\\?/){2})(?:(?:\S*|[^\s/:@]*:[^@\n]*)'
      '(?:[@＠﹫]|%(?:25)*40|\\+u0040|&(?:#(?:64|x40)|commat);)(?:\[[^]\s]*\]|[^][\s/?#&"''<>\\])*'
      '|[^][\s/?#@:,"''<>\\]*:(?![0-9]{0,5}(?:[]/?#,;:."''<>)}\\\s]|$)'
      '|\S*(?:[@＠﹫]|%(?:25)*40|\\+u0040|&(?:#(?:64|x40)|commat);))[^\s"''<>]*)',
    '\1[address]', 'gi'),
    '(?:"(?:[^"\\]|\\.)*"|[^]\s@<>"''(),;:=/\\[](?:''?[^]\s<>"''(),;:=/\\[])*(?:\+[^]\s<>"(),;:\\[]*)?)'
      '(?:[@＠﹫]|%(?:25)*40|\\+u0040|&(?:#(?:64|x40)|commat);)'
      '(?:\[[^]\s]*\]|[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*|[^]\s@<>"''(),;:=/?&\\[]+)',
    '[address]', 'gi')
  end

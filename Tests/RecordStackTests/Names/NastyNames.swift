/// Names that break code which builds SQL, URIs, JSON or paths by joining texts.
enum NastyNames {
    static let all = quotes + keywords + parameters + reserved + scalars + punctuation + variants

    static let quotes = [
        "\"", "\"\"", "'", "''", "`", "[a]", "]", "a\"b", "a\"\"b", "\"; DROP TABLE \"Nasty\"; --",
        "'; DROP TABLE Nasty; --", "\"); DELETE FROM \"Nasty\"; --", "a\" TEXT, \"b",
        "x\"\u{301}; --",
        "\"\u{301}", "\u{301}\"", "\"\u{200D}\"", "x\" COLLATE \"nothing", "--", "/* */",
    ]

    static let keywords = [
        "select", "SELECT", "table", "order", "group", "index", "where", "from", "null", "NULL",
        "default", "primary", "references", "check", "values", "rowid", "oid", "ROWID", "main",
        "temp",
        "t0", "t1", "value", "key", "json_each", "JSON_TREE", "pragma_foreign_key_check",
        "count(*)",
    ]

    static let parameters = [
        "?", "?1", ":x", "@x", "$x", "$", "#", "%", "%s", "%@", "%00", "100%", "\\", "\\0", "\\n",
        "\\(x)",
        "{}", "*", "~", "file:x?mode=memory", ":memory:",
    ]

    static let reserved = [
        "", "_", "_key", "_version", "_rowid_", "_entity", "_recordstack", "_\u{301}", "sqlite_x",
        "SQLITE_schema", "sqlite_\u{301}x", "sqlite", "pragma_", "lease:Nasty",
    ]

    static let scalars = [
        " ", "  a  ", "a b", "\t", "\n", "\r\n", "a\nb", "\0", "a\0b", "\u{1}", "\u{7F}",
        "\u{1B}[31m",
        "é", "e\u{301}", "\u{301}", "/\u{301}", ":\u{301}", "Ä", "ä", "ß", "İ", "日本", "😀", "👩‍👩‍👧‍👦",
        "\u{202E}rtl", "\u{200F}", "\u{FEFF}", "\u{FFFD}", "\u{10FFFF}", "\u{2028}", "ﬁ",
    ]

    static let punctuation = [
        ".", "a.b", "a,b", "a.b,c", ", ", ": ", ";", "/", "a/b", "../a", "a:b", "(", ")", "-", "-1",
        "0", "1a",
        "1e5", "0x10", "<a>", "&amp;", "=", "!", "|", "&",
    ]

    static let variants = [
        "NUMBER", "number", "Number", "nasty", String(repeating: "x", count: 240),
        String(repeating: "x", count: 10_000), String(repeating: "😀", count: 500),
    ]
}

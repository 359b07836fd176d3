import FoundationEssentials
import RecordStack

extension FormatCase {
    static let substitutions: [FormatCase] = [
        FormatCase("age == %@", "A", Source.creating) { _ in [30] },
        FormatCase("age > %d", "BD", Source.string) { _ in [30] },
        FormatCase("age > %i AND points < %ld", "BD", Source.string) { _ in [30, 9] },
        FormatCase("age == %lld OR age == %u", "AB", Source.string) { _ in [30, 41] },
        FormatCase("age == %x", "A", Source.string) { _ in [30] },
        FormatCase("ratio > %f", "ADE", Source.string) { _ in [1.25] },
        FormatCase("ratio == %lf", "A", Source.string) { _ in [1.5] },
        FormatCase("name == %s", "A", Source.string) { _ in ["Ann"] },
        FormatCase("nick CONTAINS %%", "E", Source.grammar),
        FormatCase("name == '%@'", "", Source.parser),
        FormatCase("nick ENDSWITH '%'", "E", Source.constants),
        FormatCase("name LIKE[c] %@", "A", Source.constants) { _ in ["*N*"] },
        FormatCase("name like[c] %@", "B", Source.constants) { _ in ["?OB"] },
        FormatCase("name == %@", "", Source.constants) { _ in ["Ann' OR 'a' == 'a"] },
        FormatCase("age == %@ OR age == %@", "AC", Source.nulls) { _ in [nil, 30] },
        FormatCase("isActive == %@", "ACD", Source.bools) { _ in [true] },
        FormatCase("%K == %@", "A", Source.names) { _ in ["age", 30] },
        FormatCase("%K LIKE %@", "AB", Source.names) { _ in ["team.title", "R*"] },
        FormatCase("team.%K == %@", "AB", Source.names) { _ in ["title", "Reds"] },
        FormatCase("%K.%K == 1", "AB", Source.names) { _ in ["team", "rank"] },
        FormatCase("%K > 1", "ABCD", Source.names) { _ in ["team.heroes.@count"] },
        .with("age == $AGE", "A", Source.templates) { _ in ["AGE": 30] },
        .with("name LIKE[c] $NAME AND age > $AGE", "A", Source.templates) { _ in
            ["AGE": 20, "NAME": "a*"]
        },
        .with("born == $DATE", "C", Source.templates) { _ in ["DATE": nil] },
        .with("age BETWEEN {$LOWER, $UPPER}", "AB", Source.basic) { _ in ["LOWER": 30, "UPPER": 41]
        },
        .with("age IN $AGES", "AE", Source.aggregate) { _ in ["AGES": [18, 30]] },
        .with("team == $TEAM", "AB", Source.fetching) { ["TEAM": $0.guilds["R"]] },
        FormatCase("born > %@", "BD", Source.creating) { _ in
            [Date(timeIntervalSinceReferenceDate: 1)]
        },
        FormatCase("price == %@", "E", Source.creating) { _ in [Decimal(string: "100.25")!] },
        FormatCase("code == %@", "A", Source.creating) { _ in
            [UUID(uuidString: "12345678-0000-0000-0000-00000000ABCD")!]
        },
        FormatCase("photo == %@", "A", Source.creating) { _ in [Data([1, 2, 255])] },
        FormatCase("link == %@", "A", Source.creating) { _ in
            [URL(string: "https://example.org/a")!]
        },
        FormatCase("mood == %@", "A", Source.creating) { _ in [Temper.sad] },
        FormatCase("tags == %@", "A", Source.creating) { _ in [["x", "y"]] },
        FormatCase("team == %@", "AB", Source.fetching) { [$0.guilds["R"]!.objectID] },
        FormatCase("objectID == %@", "B", Source.fetching) { [$0.heroes["B"]!.objectID] },
    ]

    static let members: [FormatCase] = [
        .guilds("ANY heroes.age < 31", "R", Source.aggregate),
        .guilds("any heroes.age > 60", "B", Source.aggregate),
        .guilds("SOME heroes.age > 60", "B", Source.aggregate),
        .guilds("ALL heroes.age > 20", "ER", Source.aggregate),
        .guilds("ALL heroes.isActive == YES", "BE", Source.aggregate),
        .guilds("NONE heroes.age > 60", "ER", Source.aggregate),
        .guilds("NOT ANY heroes.age > 60", "ER", Source.aggregate),
        .guilds("NOT (ANY heroes.age > 60)", "ER", Source.aggregate),
        .guilds("ANY heroes.name IN {'Ann', 'cid'}", "BR", Source.aggregate),
        .guilds("ANY heroes.name BEGINSWITH[c] 'C'", "B", Source.aggregate),
        .guilds("ANY heroes.age == nil", "B", Source.aggregate),
        .guilds("ANY heroes.age BETWEEN {40, 50}", "R", Source.aggregate),
        .guilds("ANY heroes.idol.name == 'Bob'", "R", Source.paths),
        .guilds("ANY heroes == %@", "R", Source.joins) { [$0.heroes["A"]!] },
        .guilds("ANY heroes IN %@", "BR", Source.joins) { [[$0.heroes["A"]!, $0.heroes["C"]!]] },
        .guilds("heroes CONTAINS %@", "B", Source.fetching) { [$0.heroes["C"]!] },
        .guilds("%@ IN heroes", "B", Source.grammar) { [$0.heroes["C"]!] },
        .guilds("41 IN heroes.age", "R", Source.grammar),
        .guilds("ANY heroes.admirers.name == 'cid'", "R", Source.paths),
        .guilds("ALL heroes.admirers.points > 5", "BE", Source.aggregate),
        .guilds("NONE heroes.admirers.points > 5", "E", Source.aggregate),
        .guilds("heroes.@count == 2", "BR", Source.collections),
        .guilds("heroes.@count == 0", "E", Source.collections),
        .guilds("heroes[SIZE] == 2", "BR", Source.aggregate),
        .guilds("heroes.@sum.points == 7", "R", Source.collections),
        .guilds("heroes.@sum.points == 0", "E", Source.collections),
        .guilds("heroes.@avg.age == 35.5", "R", Source.collections),
        .guilds("heroes.@avg.age == nil", "E", Source.collections),
        .guilds("heroes.@min.points < 0", "R", Source.collections),
        .guilds("heroes.@max.points == 8", "B", Source.collections),
        .guilds("heroes.@max.name == 'd*t?'", "B", Source.collections),
        .guilds("@sum.heroes.price > 10", "R", "Introduction: At a Glance"),
        .guilds("heroes.@max.age > heroes.@min.age", "R", Source.collections),
        FormatCase("team.heroes.@count == 2", "ABCD", Source.collections),
        FormatCase("team.heroes.@max.age == age", "BD", Source.collections),
        FormatCase("ANY team.heroes.age > 60", "CD", Source.aggregate),
        .guilds(
            "SUBQUERY(heroes, $h, $h.age > 20 AND $h.isActive == YES).@count > 0", "BR",
            Source.subquery),
        .guilds("SUBQUERY(heroes, $h, $h.name == title).@count == 0", "BER", Source.subquery),
        .guilds("SUBQUERY(heroes, $h, $h.points > 0).@count == 1", "BR", Source.subquery),
        .guilds(
            "SUBQUERY(heroes, $h, SUBQUERY($h.admirers, $a, $a.points < $h.points).@count > 0)"
                + ".@count > 0", "R", Source.subquery),
        .guilds("subquery(heroes, $h, $h == %@).@count == 1", "R", Source.joins) {
            [$0.heroes["B"]!]
        },
        .guilds("SUBQUERY(heroes, $h, $h.points > 0).@sum.points > 9", "R", Source.subquery),
        .guilds("count(heroes) == 2", "BR", Source.grammar),
        .guilds("sum(heroes.points) == 7", "R", Source.grammar),
        .guilds("max:(heroes.age) == 65", "B", Source.functions),
    ]

    static let calculations: [FormatCase] = [
        FormatCase("points + 1 == 11", "A", Source.grammar),
        FormatCase("points - 1 == 9", "A", Source.grammar),
        FormatCase("points * 2 > 20", "E", Source.grammar),
        FormatCase("ratio / 2 == 0.75", "A", Source.grammar),
        FormatCase("age + points == 40", "A", Source.grammar),
        FormatCase("points + 2 * 3 == 16", "A", Source.grammar),
        FormatCase("(points + 2) * 3 == 36", "A", Source.grammar),
        FormatCase("points - 1 - 2 == 7", "A", Source.grammar),
        FormatCase("points - (1 - 2) == 11", "A", Source.grammar),
        FormatCase("-points == 3", "B", Source.grammar),
        FormatCase("points == 5 + 5", "A", Source.grammar),
        FormatCase("price * 2 == 19", "A", Source.grammar),
        FormatCase("abs(points) == 3", "B", Source.grammar),
        FormatCase("abs:(ratio) == 1.5", "AB", Source.functions),
        FormatCase("ceiling(ratio) == -1", "B", Source.functions),
        FormatCase("floor(ratio) == -2", "B", Source.functions),
        FormatCase("trunc(ratio) == 1", "A", Source.functions),
        FormatCase("trunc:(ratio) == -1", "B", Source.functions),
        FormatCase("lowercase(name) == 'ann'", "A", Source.functions),
        FormatCase("uppercase:(name) == 'BOB'", "B", Source.functions),
        FormatCase("length(name) == 4", "D", Source.functions),
        FormatCase("nick.length > 5", "E", Source.paths),
        FormatCase("modulus:by:(points, 4) == 2", "A", Source.functions),
        FormatCase("add:to:(points, 1) == 11", "A", Source.functions),
        FormatCase("from:subtract:(points, 1) == 9", "A", Source.functions),
        FormatCase("multiply:by:(points, 2) == 20", "A", Source.functions),
        FormatCase("divide:by:(ratio, 2) == 50", "D", Source.functions),
        FormatCase("born < now()", "ABDE", Source.functions),
        FormatCase("born == CAST(86400, 'NSDate')", "B", Source.grammar),
        FormatCase("born > CAST(0, \"NSDate\")", "BD", Source.grammar),
        FormatCase(
            "born > CAST(CAST(now(), 'NSNumber') - 1e15, 'NSDate')", "ABDE", Source.grammar),
        FormatCase("price == CAST('9.50', 'NSDecimalNumber')", "A", Source.grammar),
        FormatCase("(points.doubleValue / 4) == 2.5", "A", Source.paths),
    ]
}

import Foundation
import RecordStack
import Testing

/// The page that shows filters in three front ends beside their SQL.
@Suite("The page on front ends") struct FrontEndPageTests {
    @Test func `the documentation page FrontEnds shows the entities that its tests use`() throws {
        let packed = try [FrontEndPage.text(), FrontEndPage.text("Mariners.swift")].map {
            FrontEndPage.packed($0)
        }
        let entities = packed[1].components(separatedBy: "importRecordStackTesting")[1]
            .components(separatedBy: "///")[0]
        #expect(packed[0].contains(entities))
    }

    @Test func `documented comparisons find the same objects in every filter syntax`() throws {
        let page = try FrontEndPage("Comparing")
        let (names, captain) = (["Ann", "Eve"], Duty.captain)
        try page.check(
            Mariner.self, { $0.pay >= 100 }, #Predicate { $0.pay >= 100 }, Format("pay >= 100"))
        try page.check(
            Mariner.self, { $0.pay > $0.debt }, #Predicate { $0.pay > $0.debt },
            Format("pay > debt"))
        try page.check(
            Mariner.self, { $0.pay.isBetween(100...200) },
            #Predicate { (100...200).contains($0.pay) }, Format("pay BETWEEN {100, 200}"))
        try page.check(
            Mariner.self, { $0.pay.isBetween(100..<200) },
            #Predicate { (100..<200).contains($0.pay) }, Format("pay >= 100 AND pay < 200"))
        try page.check(
            Mariner.self, { $0.name.isIn(names) }, #Predicate { names.contains($0.name) },
            Format("name IN %@", names))
        try page.check(
            Mariner.self, { $0.duty == .captain }, #Predicate { $0.duty == captain },
            Format("duty == 'captain'"))
        try page.check(
            Mariner.self, { $0.isAshore }, #Predicate { $0.isAshore }, Format("isAshore == YES"))
        page.end()
    }

    @Test func `documented filters for nil find the same objects in every syntax`() throws {
        let page = try FrontEndPage("Nil")
        let ages: [Int?] = [17, nil]
        try page.check(
            Mariner.self, { $0.age == nil }, #Predicate { $0.age == nil }, Format("age == NULL"))
        try page.check(
            Mariner.self, { $0.age != nil }, #Predicate { $0.age != nil }, Format("age != NULL"))
        try page.check(
            Mariner.self, { $0.age >= 18 }, #Predicate { $0.age.flatMap { $0 >= 18 } == true },
            Format("age >= 18"))
        try page.check(
            Mariner.self, { $0.age != 30 }, #Predicate { $0.age != 30 }, Format("age != 30"))
        try page.check(
            Mariner.self, { !($0.age >= 18) }, #Predicate { !(($0.age ?? 0) >= 18) },
            Format("NOT age >= 18"))
        try page.check(
            Mariner.self, { $0.age.isIn(ages) }, #Predicate { ages.contains($0.age) },
            Format("age IN %@", ages))
        page.end()
    }

    @Test func `documented logical operators find the same objects in every syntax`() throws {
        let page = try FrontEndPage("Not, and, or")
        try page.check(
            Mariner.self, { !$0.isAshore && $0.pay > 100 },
            #Predicate { !$0.isAshore && $0.pay > 100 },
            Format("isAshore != YES AND pay > 100"))
        try page.check(
            Mariner.self, { $0.duty == .mate || !($0.pay < 100 && $0.debt < 100) },
            #Predicate { $0.duty.rawValue == "mate" || !($0.pay < 100 && $0.debt < 100) },
            Format("duty == 'mate' OR NOT (pay < 100 AND debt < 100)"))
        page.end()
    }

    @Test func `documented text filters find the same objects in every syntax`() throws {
        let page = try FrontEndPage("Text")
        try page.check(
            Mariner.self, { $0.name.hasPrefix("An") }, #Predicate { $0.name.starts(with: "An") },
            Format("name BEGINSWITH 'An'"))
        try page.check(
            Mariner.self, { $0.name.hasPrefix("an", .caseInsensitive) }, nil,
            Format("name BEGINSWITH[c] 'an'"))
        try page.check(Mariner.self, { $0.name.hasSuffix("n") }, nil, Format("name ENDSWITH 'n'"))
        try page.check(
            Mariner.self, { $0.name.contains("nn") }, #Predicate { $0.name.contains("nn") },
            Format("name CONTAINS 'nn'"))
        try page.check(
            Mariner.self, { $0.name.contains("NY", [.caseInsensitive, .diacriticInsensitive]) },
            nil,
            Format("name CONTAINS[cd] 'NY'"))
        try page.check(
            Mariner.self, { $0.name.equals("ANN", .caseInsensitive) }, nil,
            Format("name ==[c] 'ANN'"))
        try page.check(
            Mariner.self, { $0.nick.like("*e?") }, nil, Format("nick LIKE '*e?'"))
        try page.check(
            Mariner.self, { $0.name.matches("[A-C].+") }, nil,
            Format("name MATCHES '[A-C].+'"))
        try page.check(
            Mariner.self, { $0.name.count > 3 }, #Predicate { $0.name.count > 3 },
            Format("name.length > 3"))
        try page.check(
            Mariner.self, { $0.nick.hasPrefix($0.name) },
            #Predicate { sailor in sailor.nick?.starts(with: sailor.name) == true },
            Format("nick BEGINSWITH name"))
        try page.check(
            Mariner.self, { $0.name.lowercased() == "ann" }, nil,
            Format("lowercase:(name) == 'ann'"))
        page.end()
    }

    @Test func `documented arithmetic filters find the same objects in every syntax`() throws {
        let page = try FrontEndPage("Arithmetic")
        try page.check(
            Mariner.self, { $0.pay * 2 - $0.debt > 200 }, #Predicate { $0.pay * 2 - $0.debt > 200 },
            Format("pay * 2 - debt > 200"))
        try page.check(
            Mariner.self, { $0.pay / 100 == 2 }, #Predicate { $0.pay / 100 == 2 },
            Format("pay / 100 == 2"))
        try page.check(
            Mariner.self, { $0.pay % 100 == 20 }, #Predicate { $0.pay % 100 == 20 },
            Format("modulus:by:(pay, 100) == 20"))
        try page.check(
            Mariner.self, { $0.age / 2 < $0.pay.optional % 100 }, nil,
            Format("age / 2 < modulus:by:(pay, 100)"))
        try page.check(
            Mariner.self, { $0.pay.asDouble / $0.debt.asDouble < 1.5 }, nil,
            Format("pay.doubleValue / debt.doubleValue < 1.5"))
        try page.check(
            Mariner.self, { $0.debt.magnitude >= 20 }, nil, Format("abs:(debt) >= 20"))
        page.end()
    }

    @Test func `documented date filters find the same objects in every syntax`() throws {
        let page = try FrontEndPage("Dates")
        let moment = Date(timeIntervalSinceReferenceDate: 86_400)
        let week = moment...moment + 604_800
        try page.check(
            Mariner.self, { $0.joined < moment }, #Predicate { $0.joined < moment },
            Format("joined < %@", moment))
        try page.check(
            Mariner.self, { $0.joined.isBetween(week) },
            #Predicate { week.contains($0.joined) },
            Format("joined BETWEEN %@", [week.lowerBound, week.upperBound]))
        try page.check(
            Mariner.self, { $0.joined + 604_800 < moment }, nil,
            Format("joined + 604800.0 < %@", moment))
        page.end()
    }

    @Test func `documented filters on to-ones find the same objects in every syntax`() throws {
        let page = try FrontEndPage("To-one relationships")
        try page.check(
            Mariner.self, { $0.vessel.title == "Vega" }, #Predicate { $0.vessel?.title == "Vega" },
            Format("vessel.title == 'Vega'"))
        try page.check(
            Mariner.self, { $0.vessel.title != "Vega" }, #Predicate { $0.vessel?.title != "Vega" },
            Format("vessel.title != 'Vega'"))
        try page.check(
            Mariner.self, { $0.vessel == nil }, #Predicate { $0.vessel?.objectID == nil },
            Format("vessel == NULL"))
        page.end()
    }

    @Test func `documented filters by object find the same objects in every syntax`() throws {
        let page = try FrontEndPage("Objects", isPending: false)
        let vega = try #require(try Vessel.findFirst(by: \.title, "Vega", in: page.mariners.stored))
        let ann = try #require(try Mariner.findFirst(by: \.name, "Ann", in: page.mariners.stored))
        let (id, annID) = (vega.objectID, ann.objectID)
        try page.check(
            Vessel.self, { $0.objectID == id }, #Predicate { $0.objectID == id },
            Format("SELF == %@", id))
        try page.check(
            Mariner.self, { $0.vessel == vega }, #Predicate { $0.vessel?.objectID == id },
            Format("vessel == %@", vega))
        try page.check(
            Mariner.self, { $0.vessel.isIn([vega]) }, nil, Format("vessel IN %@", [vega]))
        try page.check(
            Vessel.self, { $0.crew.contains(ann) },
            #Predicate { $0.crew.contains { $0.objectID == annID } },
            Format("crew CONTAINS %@", ann))
        page.end()
    }

    @Test func `documented filters on members find the same objects in every syntax`() throws {
        let page = try FrontEndPage("Members")
        try page.check(
            Vessel.self, { $0.crew.any { $0.age < 18 } },
            #Predicate { $0.crew.contains { ($0.age ?? 18) < 18 } }, Format("ANY crew.age < 18"))
        try page.check(
            Vessel.self, { $0.crew.all { $0.pay >= 100 } },
            #Predicate { $0.crew.allSatisfy { $0.pay >= 100 } }, Format("ALL crew.pay >= 100"))
        try page.check(
            Vessel.self, { $0.crew.none { $0.duty == .mate } },
            #Predicate { !$0.crew.contains { $0.duty.rawValue == "mate" } },
            Format("NONE crew.duty == 'mate'"))
        try page.check(
            Vessel.self, { $0.crew.count >= 3 }, #Predicate { $0.crew.count >= 3 },
            Format("crew.@count >= 3"))
        try page.check(
            Vessel.self, { $0.crew.isEmpty }, #Predicate { $0.crew.isEmpty },
            Format("NONE crew"))
        try page.check(
            Vessel.self, { $0.crew.sum { $0.pay } > 550 }, nil, Format("crew.@sum.pay > 550"))
        try page.check(
            Vessel.self, { $0.crew.where { $0.isAshore }.count == 1 },
            #Predicate { $0.crew.filter { $0.isAshore }.count == 1 },
            Format("SUBQUERY(crew, $m, $m.isAshore == YES).@count == 1"))
        try page.check(
            Mariner.self, { sailor in sailor.vessel.crew.all { $0.pay <= sailor.pay } }, nil,
            Format("NONE SUBQUERY(vessel.crew, $m, NOT $m.pay <= pay)"))
        page.end()
    }
}

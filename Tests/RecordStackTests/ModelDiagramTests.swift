import RecordStack
import RecordStackTesting
import Testing

@Entity(.abstract) class Watercraft: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Marina.vessels) var harbour: Marina?
}

@Entity final class Catamaran: Watercraft {
    var seats: Int?
    @Relationship(.count(1...2)) var masts: OrderedToMany<Mast>
}

@Entity final class Marina: ManagedObject {
    var vessels: ToMany<Watercraft>
    @Relationship(.symmetric) var partners: ToMany<Marina>
    @Relationship(.oneWay, .required) var owner: MarinaMaster?
}

@Entity final class Mast: ManagedObject {
    var height: Double = 0
}

@Entity final class MarinaMaster: ManagedObject {}

@Suite("Model diagrams")
struct ModelDiagramTests {
    private func model() throws -> ManagedObjectModel {
        try TestStack(for: Watercraft.self, Catamaran.self).stack.model
    }

    @Test func `a Mermaid diagram shows entities, inheritance and relationships`() throws {
        #expect(
            try model().diagram() == """
                classDiagram
                    class Watercraft {
                        <<abstract>>
                        name : String, unique
                    }
                    class Catamaran {
                        seats : Int64?
                    }
                    class Marina
                    class Mast {
                        height : Double
                    }
                    class MarinaMaster
                    Watercraft <|-- Catamaran
                    Watercraft "*" -- "0..1" Marina : harbour, vessels
                    Catamaran "*" --> "1..2" Mast : masts (ordered)
                    Marina "*" -- "*" Marina : partners
                    Marina "*" --> "1" MarinaMaster : owner
                """)
    }

    @Test func `a Graphviz diagram shows the same as a Mermaid diagram`() throws {
        #expect(
            try model().diagram(.graphviz) == #"""
                digraph Model {
                    node [shape=record];
                    "Watercraft" [label="{Watercraft\n(abstract)|name: String, unique\l}"];
                    "Catamaran" [label="{Catamaran|seats: Int64?\l}"];
                    "Marina" [label="{Marina|}"];
                    "Mast" [label="{Mast|height: Double\l}"];
                    "MarinaMaster" [label="{MarinaMaster|}"];
                    "Catamaran" -> "Watercraft" [arrowhead=empty];
                    "Watercraft" -> "Marina" [label="harbour, vessels", taillabel="*", headlabel="0..1", arrowhead=none];
                    "Catamaran" -> "Mast" [label="masts (ordered)", taillabel="*", headlabel="1..2", arrowhead=vee];
                    "Marina" -> "Marina" [label="partners", taillabel="*", headlabel="*", arrowhead=none];
                    "Marina" -> "MarinaMaster" [label="owner", taillabel="*", headlabel="1", arrowhead=vee];
                }
                """#)
    }
}

import RecordStack
import RecordStackTesting
import Testing

@Entity(.abstract) class Vessel: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Harbour.vessels) var harbour: Harbour?
}

@Entity final class Ferry: Vessel {
    var seats: Int?
    @Relationship(.count(1...2)) var masts: OrderedToMany<Mast>
}

@Entity final class Harbour: ManagedObject {
    var vessels: ToMany<Vessel>
    @Relationship(.symmetric) var partners: ToMany<Harbour>
    @Relationship(.oneWay, .required) var owner: Owner?
}

@Entity final class Mast: ManagedObject {
    var height: Double = 0
}

@Entity final class Owner: ManagedObject {}

@Suite("Model diagrams")
struct ModelDiagramTests {
    private func model() throws -> ManagedObjectModel {
        try TestStack(for: Vessel.self, Ferry.self).stack.model
    }

    @Test func `a Mermaid diagram shows entities, inheritance and relationships`() throws {
        #expect(
            try model().diagram() == """
                classDiagram
                    class Vessel {
                        <<abstract>>
                        name : String, unique
                    }
                    class Ferry {
                        seats : Int64?
                    }
                    class Harbour
                    class Mast {
                        height : Double
                    }
                    class Owner
                    Vessel <|-- Ferry
                    Vessel "*" -- "0..1" Harbour : harbour, vessels
                    Ferry "*" --> "1..2" Mast : masts (ordered)
                    Harbour "*" -- "*" Harbour : partners
                    Harbour "*" --> "1" Owner : owner
                """)
    }

    @Test func `a Graphviz diagram shows the same as a Mermaid diagram`() throws {
        #expect(
            try model().diagram(.graphviz) == #"""
                digraph Model {
                    node [shape=record];
                    "Vessel" [label="{Vessel\n(abstract)|name: String, unique\l}"];
                    "Ferry" [label="{Ferry|seats: Int64?\l}"];
                    "Harbour" [label="{Harbour|}"];
                    "Mast" [label="{Mast|height: Double\l}"];
                    "Owner" [label="{Owner|}"];
                    "Ferry" -> "Vessel" [arrowhead=empty];
                    "Vessel" -> "Harbour" [label="harbour, vessels", taillabel="*", headlabel="0..1", arrowhead=none];
                    "Ferry" -> "Mast" [label="masts (ordered)", taillabel="*", headlabel="1..2", arrowhead=vee];
                    "Harbour" -> "Harbour" [label="partners", taillabel="*", headlabel="*", arrowhead=none];
                    "Harbour" -> "Owner" [label="owner", taillabel="*", headlabel="1", arrowhead=vee];
                }
                """#)
    }
}

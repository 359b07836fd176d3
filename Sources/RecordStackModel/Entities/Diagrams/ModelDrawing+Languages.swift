extension ModelDrawing {
    var mermaid: String {
        var text = ["classDiagram"]
        for box in boxes {
            let body =
                (box.isAbstract ? ["<<abstract>>"] : [])
                + box.attributes.map { "\($0.name) : \($0.text)" }
            let name = Self.mermaidName(box.name)
            if body.isEmpty {
                text.append("    class \(name)")
            } else {
                text.append("    class \(name) {")
                text += body.map { "        \($0)" }
                text.append("    }")
            }
        }
        text += inheritance.map {
            "    \(Self.mermaidName($0.superentity)) <|-- \(Self.mermaidName($0.subentity))"
        }
        text += lines.map { line in
            let (source, destination) = (
                Self.mermaidName(line.source), Self.mermaidName(line.destination)
            )
            return "    \(source) \"\(line.sourceCount)\" \(line.hasInverse ? "--" : "-->") "
                + "\"\(line.destinationCount)\" \(destination) : \(line.label)"
        }
        return text.joined(separator: "\n")
    }

    /// Mermaid reads letters beyond ASCII only between backticks.
    private static func mermaidName(_ name: String) -> String {
        name.utf8.allSatisfy { $0 < 0x80 } ? name : "`\(name)`"
    }
}

extension ModelDrawing {
    var graphviz: String {
        var text = ["digraph Model {", "    node [shape=record];"]
        for box in boxes {
            let title = box.isAbstract ? "\(box.name)\\n(abstract)" : box.name
            let attributes = box.attributes.map { "\($0.name): \($0.text)\\l" }.joined()
            text.append("    \"\(box.name)\" [label=\"{\(title)|\(attributes)}\"];")
        }
        text += inheritance.map {
            "    \"\($0.subentity)\" -> \"\($0.superentity)\" [arrowhead=empty];"
        }
        text += lines.map { line in
            "    \"\(line.source)\" -> \"\(line.destination)\" [label=\"\(line.label)\", "
                + "taillabel=\"\(line.sourceCount)\", headlabel=\"\(line.destinationCount)\", "
                + "arrowhead=\(line.hasInverse ? "none" : "vee")];"
        }
        text.append("}")
        return text.joined(separator: "\n")
    }
}

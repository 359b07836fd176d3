extension ManagedObjectModel {
    /// A language in which a diagram is written.
    public enum DiagramFormat: Sendable, Hashable, CaseIterable {
        /// A Mermaid class diagram, which GitHub and many editors show in Markdown.
        case mermaid
        /// A Graphviz graph, for `dot -Tsvg model.dot > model.svg`.
        case graphviz
    }

    /// Returns a diagram of the entities, their attributes and their relationships.
    ///
    /// ```swift
    /// print(stack.model.diagram())
    /// // classDiagram
    /// //     class Person {
    /// //         email : String, unique
    /// //     }
    /// //     Person "*" -- "0..1" Team : team, members
    /// ```
    ///
    /// One line shows a relationship and its inverse, with both names. An arrow marks a
    /// relationship without an inverse. Equal models have equal diagrams, so a test can compare the
    /// text.
    ///
    /// - Parameter format: the language of the diagram.
    public func diagram(_ format: DiagramFormat = .mermaid) -> String {
        let drawing = ModelDrawing(self)
        return switch format {
        case .mermaid: drawing.mermaid
        case .graphviz: drawing.graphviz
        }
    }
}

#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// Writes the members that create an entity's objects from rows, and rows from objects.
    struct RowWriter {
        let entity: EntityDeclaration

        var members: [DeclSyntax] { [rowInit, seedInit, make, load, loadSome, write, storedValue] }

        private func slot(_ index: Int) -> String { entity.index(index, after: "slotCount") }

        /// The code that resets the transient properties.
        ///
        /// A transient property starts with its initial value whenever a row is loaded.
        private var begin: String {
            entity.transients.map { "\($0.storage) = \($0.defaultValue ?? "nil")\n    " }.joined()
        }

        private func lines(_ write: (Int, PropertyDeclaration) -> String) -> String {
            entity.slots.enumerated().map(write).joined(separator: "\n    ")
        }

        private func read(_ index: Int, _ property: PropertyDeclaration) -> String {
            property.kind == .toOne
                ? "row.key(at: \(slot(index)))"
                : "\(property.access).read(row, at: \(slot(index)))"
        }

        private var rowInit: DeclSyntax {
            """
            \(raw: entity.access == "open " ? "public " : entity.access)required init(\
            row: borrowing RowCells, seed: ObjectSeed) {
                \(raw: begin)\(raw: lines { "\($1.storage) = \(read($0, $1))" })
                super.init(row: row, seed: seed)
            }
            """
        }

        private var seedInit: DeclSyntax {
            """
            \(raw: entity.access == "open " ? "public " : entity.access)required init(\
            seed: ObjectSeed) {
                \(raw: begin)\(raw: lines { "\($1.storage) = \(initial($1))" })
                super.init(seed: seed)
            }
            """
        }

        private func initial(_ property: PropertyDeclaration) -> String {
            if property.kind == .toOne { return "0" }
            let placeholder = "\(property.access).placeholder"
            guard let value = property.defaultValue else { return placeholder }
            return "seed.isNew ? \(value) : \(placeholder)"
        }

        private var make: DeclSyntax {
            """
            \(raw: entity.access)override class func make(\
            row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
                \(raw: entity.name)(row: row, seed: seed)
            }
            """
        }

        private var load: DeclSyntax {
            """
            \(raw: entity.access)override func load(_ row: borrowing RowCells) {
                \(raw: entity.inheritsEntity ? "super.load(row)\n    " : "")\
            \(raw: begin)\(raw: lines { "\($1.storage) = \(read($0, $1))" })
            }
            """
        }

        private var loadSome: DeclSyntax {
            """
            \(raw: entity.access)override func load(_ row: borrowing RowCells, slots: SlotSet) {
                \(raw: entity.inheritsEntity ? "super.load(row, slots: slots)\n    " : "")\
            \(raw: lines { "if slots.contains(\(slot($0))) { \($1.storage) = \(read($0, $1)) }" })
            }
            """
        }

        private var write: DeclSyntax {
            """
            \(raw: entity.access)override func write(to writer: inout CellWriter) {
                \(raw: entity.inheritsEntity ? "super.write(to: &writer)\n    " : "")\
            \(raw: lines { writeLine($1) })
            }
            """
        }

        private func writeLine(_ property: PropertyDeclaration) -> String {
            property.kind == .toOne
                ? "writer.append(key: \(property.storage))"
                : "\(property.access).write(\(property.storage), to: &writer)"
        }

        private var storedValue: DeclSyntax {
            """
            \(raw: entity.access)override func storedValue(at slot: Int) -> StoredValue {
                switch slot {
                \(raw: lines { "case \(slot($0)): return \(valueOf($1))" })
                default: return super.storedValue(at: slot)
                }
            }
            """
        }

        private func valueOf(_ property: PropertyDeclaration) -> String {
            property.kind == .toOne
                ? "\(property.storage) == 0 ? .null : .integer(\(property.storage))"
                : "\(property.access).storedValue(of: \(property.storage))"
        }
    }
#endif

#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// A property that is marked with `@Attribute` or `@Relationship`, or that needs no mark.
    struct PropertyDeclaration {
        enum Kind {
            case attribute, toOne, toMany
        }

        let name: String
        let type: String
        let kind: Kind
        let attribute: AttributeSyntax
        private let variable: VariableDeclSyntax
        /// The name in the source, for diagnostics.
        let pattern: PatternSyntax
        /// The text of the initial value.
        let defaultValue: String?

        /// Returns the properties of a member declaration.
        ///
        /// Properties with a problem are left out: the expansion of their own mark reports the
        /// problem.
        static func all(in member: DeclSyntax) -> [PropertyDeclaration] {
            guard let variable = member.as(VariableDeclSyntax.self),
                let mark = variable.mark ?? variable.impliedMark,
                let property = try? PropertyDeclaration(variable, marked: mark)
            else { return [] }
            return [property]
        }

        init(_ variable: VariableDeclSyntax, marked attribute: AttributeSyntax) throws {
            self.attribute = attribute
            self.variable = variable
            let binding = try Self.binding(of: variable)
            pattern = binding.pattern
            // `binding(of:)` has checked that the pattern is a name.
            name = binding.pattern.trimmedDescription
            try Self.checkName(name, of: binding)
            let value = binding.initializer?.value
            // The compiler already reports a default of a wrong type.
            defaultValue = value.flatMap {
                binding.isWrong(value: $0) ? nil : $0.trimmedDescription
            }
            guard let type = Self.type(of: binding) else {
                throw macroError("\(name) needs a type: var \(name): Type.", at: binding.pattern)
            }
            if type.hasSuffix("!") {
                throw macroError(
                    "\(name) may be nil, so its type is an optional one: var \(name): "
                        + "\(type.dropLast())?.", at: binding,
                    fix: binding.fix(type: "\(type.dropLast())?"))
            }
            self.type = type
            if variable.marks.count > 1 {
                throw macroError(
                    "\(name) has two marks. Write @Relationship where its type is an entity, and "
                        + "@Attribute where it is a value.", at: attribute)
            }
            kind = try Self.kind(of: attribute, name: name, type: type, binding)
            if isTransient && attribute.plainArguments.count > 1 {
                throw macroError(
                    "\(name) is not stored, so nothing else can be said of it: write "
                        + "@Attribute(.transient).", at: attribute)
            }
            if isTransient && !isOptional && defaultValue == nil {
                throw macroError(
                    "\(name) is not stored, so it needs a value to begin with: "
                        + "var \(name): \(type) = ….", at: binding.pattern)
            }
        }

        static let severalInOne = "Declare each property on its own: var name: Type."

        private static func binding(
            of variable: VariableDeclSyntax
        ) throws -> PatternBindingSyntax {
            guard variable.bindings.count == 1, let binding = variable.bindings.first,
                binding.pattern.is(IdentifierPatternSyntax.self)
            else {
                throw macroError(severalInOne, at: variable)
            }
            let name = binding.pattern.trimmedDescription
            if variable.bindingSpecifier.tokenKind == .keyword(.let) {
                throw macroError(
                    "\(name) must be a var: objects are filled when they are loaded.",
                    at: variable.bindingSpecifier,
                    fix: .write("Write var", (Syntax(variable.bindingSpecifier), "var")))
            }
            if let modifier = variable.modifiers.first(where: {
                ["static", "class", "lazy", "weak", "unowned"].contains($0.name.text)
            }) {
                throw macroError(
                    "\(name) cannot be \(modifier.name.text): each object has a stored value of its "
                        + "own.", at: modifier)
            }
            if let block = binding.accessorBlock {
                throw macroError(
                    "\(name) has accessors of its own, so there is nothing to store. Remove the mark, "
                        + "or the braces.", at: block)
            }
            return binding
        }

        /// Throws an error for a name that `ManagedObject` or its tables use themselves.
        private static func checkName(_ name: String, of binding: PatternBindingSyntax) throws {
            let plain = name.trimmingBackticks
            if Self.reservedNames.contains(plain) {
                throw macroError(
                    "\(plain) is a name of ManagedObject's own. Rename the property; "
                        + ".stored(as: \"\(plain)\") keeps the name of the column.",
                    at: binding.pattern)
            }
            if plain.hasPrefix("_") {
                throw macroError(
                    "\(plain) begins with an underscore, as the names of the system do. Rename the "
                        + "property.", at: binding.pattern)
            }
        }

        private static let reservedNames: Set<String> = [
            "objectID", "objectState", "managedObjectContext", "hasChanges", "changedValues",
            "committedValues", "isSet", "isFault", "load", "delete", "snapshot", "write", "make",
            "create", "storedValue", "slotCount", "relationshipCount", "entityDescription",
            "properties", "willAccessValue", "willChangeValue", "toOne", "changeToOne", "self",
            "init", "Type", "validate", "validationFailures", "lifeCycleHooks", "awakeFromInsert",
            "awakeFromFetch", "willSave", "didSave", "prepareForDeletion", "validateForInsert",
            "validateForUpdate", "validateForDelete", "hashValue",
        ]

        private static func type(of binding: PatternBindingSyntax) -> String? {
            if let written = binding.typeAnnotation?.type { return written.trimmedDescription }
            guard let value = binding.initializer?.value else { return nil }
            // These are the types that the compiler infers for literals.
            if value.is(StringLiteralExprSyntax.self) { return "String" }
            if value.is(IntegerLiteralExprSyntax.self) { return "Int" }
            if value.is(FloatLiteralExprSyntax.self) { return "Double" }
            if value.is(BooleanLiteralExprSyntax.self) { return "Bool" }
            return nil
        }

        private static func kind(
            of attribute: AttributeSyntax, name: String, type: String,
            _ binding: PatternBindingSyntax
        ) throws -> Kind {
            if attribute.attributeName.trimmedDescription == "Attribute" {
                if !Self.toManyTypes.contains(where: type.hasPrefix) { return .attribute }
                throw macroError(
                    "\(name) refers to other objects, so it is no attribute. Remove @Attribute, or write "
                        + "@Relationship where there are options.", at: attribute)
            }
            if let member = Self.member(ofCollection: type) {
                let kind = type.hasPrefix("Ordered") ? "OrderedToMany" : "ToMany"
                throw macroError(
                    "A to-many relationship is neither a collection nor optional: var \(name): "
                        + "\(kind)<\(member)>.", at: binding,
                    fix: binding.fix(type: "\(kind)<\(member)>"))
            }
            if Self.toManyTypes.contains(where: type.hasPrefix) { return .toMany }
            if type.hasSuffix("?") || type.hasPrefix("Optional<") { return .toOne }
            throw macroError(
                "A to-one relationship is optional: var \(name): \(type)?. To require one, write "
                    + "@Relationship(.required).",
                at: binding, fix: binding.fix(type: "\(type)?"))
        }

        fileprivate static let toManyTypes = ["ToMany<", "OrderedToMany<"]

        /// Returns the element type of a collection that was written for a to-many relationship.
        private static func member(ofCollection type: String) -> String? {
            let plain = type.hasSuffix("?") ? String(type.dropLast()) : type
            if plain.hasPrefix("["), plain.hasSuffix("]") {
                return String(plain.dropFirst().dropLast())
            }
            for name in ["Array<", "Set<"] + toManyTypes
            where plain.hasPrefix(name) && (!toManyTypes.contains(name) || plain != type) {
                return String(plain.dropFirst(name.count).dropLast())
            }
            return nil
        }

        /// The class at the other end: the text between the brackets, or before the question mark.
        var destination: String {
            if kind == .toMany, let start = type.firstIndex(of: "<") {
                return String(type[start...].dropFirst().dropLast())
            }
            return type.hasSuffix("?")
                ? String(type.dropLast()) : String(type.dropFirst("Optional<".count).dropLast())
        }

        var isOptional: Bool { type.hasSuffix("?") || type.hasPrefix("Optional<") }

        var isUnique: Bool {
            kind == .attribute && attribute.hasOption("unique")
        }

        /// Whether the column has a different name than the property.
        var isRenamed: Bool {
            attribute.hasOption("stored")
        }

        /// Whether the value is kept only in the object, and not in the store.
        var isTransient: Bool {
            kind == .attribute && attribute.hasOption("transient")
        }

        var isRequiredRelationship: Bool {
            attribute.hasOption("required")
        }

        /// The type with the functions for the property's values.
        var access: String { "AttributeStorage<\(type)>" }

        func marks(_ isInPublicClass: Bool) -> AccessorMarks {
            AccessorMarks(variable, isInPublicClass: isInPublicClass)
        }

        /// The name of the variable that keeps the value.
        var storage: String {
            let storage = "_" + name.trimmingBackticks
            // Keywords need no backticks behind an underscore, but names with spaces do.
            return storage == "_" + name ? storage : "`\(storage)`"
        }

        /// The type of the variable that keeps the value.
        var storedType: String { kind == .toOne ? "Int64" : type }
    }

    extension PatternBindingSyntax {
        /// Returns a fix that writes another type.
        fileprivate func fix(type: String) -> FixIt? {
            typeAnnotation.map { .write("Write \(type)", (Syntax($0.type), type)) }
        }
    }

    extension VariableDeclSyntax {
        /// The mark that makes the variable a property of an entity.
        var mark: AttributeSyntax? { marks.first }

        /// The mark that the macro adds to a stored variable without one.
        var impliedMark: AttributeSyntax? {
            guard isStorage, !hasWrapper, bindings.count == 1, let binding = bindings.first,
                binding.accessorBlock == nil
            else { return nil }
            let type = binding.typeAnnotation?.type.trimmedDescription ?? ""
            let isToMany = PropertyDeclaration.toManyTypes.contains(where: type.hasPrefix)
            return AttributeSyntax(
                attributeName: IdentifierTypeSyntax(
                    name: .identifier(isToMany ? "Relationship" : "Attribute")))
        }

        /// Whether the variable has a property wrapper or a macro that is not part of the language.
        var hasWrapper: Bool {
            attributes.contains {
                $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription.first?.isUppercase
                    == true
            }
        }

        /// Whether this is a variable of each object, which is stored unless it has accessors.
        var isStorage: Bool {
            let others = ["static", "class", "lazy", "override", "weak", "unowned"]
            return bindingSpecifier.tokenKind == .keyword(.var)
                && !modifiers.contains { others.contains($0.name.text) }
        }

        var marks: [AttributeSyntax] {
            attributes.compactMap { $0.as(AttributeSyntax.self) }.filter {
                ["Attribute", "Relationship"].contains($0.attributeName.trimmedDescription)
            }
        }
    }
#endif

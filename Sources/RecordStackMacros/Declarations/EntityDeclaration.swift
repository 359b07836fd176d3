#if Macros
    import SwiftDiagnostics
    import SwiftParser
    import SwiftSyntax

    /// The declarations of a class that is marked with `@Entity`.
    struct EntityDeclaration {
        let name: String
        /// The entity's name in the model.
        let entityName: String
        /// The class that this class inherits from.
        let superclass: String
        let access: String
        let isFinal: Bool
        /// Whether other modules can see the class.
        let isPublic: Bool
        /// Whether the options of this class say `.abstract`.
        let isAbstract: Bool
        let properties: [PropertyDeclaration]
        /// The life-cycle hooks that the class overrides.
        let hooks: [String]
        /// Whether the class itself declares `lifeCycleHooks`.
        let listsHooks: Bool
        /// The names of the properties in `@Entity(identity:)`.
        let identity: [String]

        /// The options, with the entity's own key paths.
        let options: [String]

        /// Returns the reason why the class cannot be an entity, whatever its properties are.
        static func problem(of declaration: ClassDeclSyntax) -> Diagnostic? {
            let name = declaration.name.trimmedDescription
            if let generics = declaration.genericParameterClause {
                return Diagnostic(
                    "\(name) cannot be generic: an entity is one table.", at: generics)
            }
            // Objects must be usable in every context, not only on the main actor.
            if let isolation = declaration.isolation {
                return Diagnostic(
                    "Objects of \(name) belong where their context is, and not to the main actor alone. "
                        + "Remove @MainActor.", at: isolation)
            }
            if declaration.superclass != nil { return nil }
            return Diagnostic(
                "\(name) must inherit from ManagedObject or from another entity: "
                    + "class \(name): ManagedObject.", at: declaration.name,
                fix: .write(
                    "Inherit from ManagedObject",
                    (Syntax(declaration.name), "\(name): ManagedObject")))
        }

        init(
            _ declaration: ClassDeclSyntax, attribute: AttributeSyntax, isPublic: Bool
        ) throws {
            self.isPublic = isPublic
            name = declaration.name.trimmedDescription
            // Without a superclass there is no entity to describe: `problem(of:)` reports that.
            superclass = declaration.superclass ?? "ManagedObject"
            let modifiers = declaration.modifiers.map(\.name.text)
            access =
                ["open", "public", "package"].first(where: modifiers.contains).map { $0 + " " }
                ?? ""
            isFinal = modifiers.contains("final")
            properties = declaration.memberBlock.members.flatMap {
                PropertyDeclaration.all(in: $0.decl)
            }
            let members = declaration.memberBlock.members.flatMap(HookWriter.declarations)
            hooks = HookWriter.hooks(among: members)
            listsHooks = members.contains(where: \.declaresHookList)
            identity = try Self.identity(of: attribute)
            let own = "\\\(name)."
            isAbstract = attribute.plainArguments.contains {
                $0.hasSuffix(".abstract")
            }
            let said = attribute.entityName
            entityName = said ?? name
            options = attribute.plainArguments.dropFirst(said == nil ? 0 : 1).map {
                // A name may look like a key path.
                $0.contains("stored(as:") ? $0 : $0.replacing("\\.", with: own)
            }
        }

        /// Returns the names of the properties in `@Entity(identity: \.team, \.number)`.
        private static func identity(of attribute: AttributeSyntax) throws -> [String] {
            try attribute.arguments(labeled: "identity").map { path in
                guard path.hasPrefix("\\."), !path.dropFirst(2).contains(".") else {
                    throw macroError(
                        "Name the identity by key paths of one step: identity: \\.email.",
                        at: attribute)
                }
                return String(path.dropFirst(2))
            }
        }

        var inheritsEntity: Bool { superclass.split(separator: ".").last != "ManagedObject" }

        var slots: [PropertyDeclaration] {
            properties.filter { $0.kind != .toMany && !$0.isTransient }
        }

        /// The properties that objects have and rows do not.
        var transients: [PropertyDeclaration] { properties.filter(\.isTransient) }

        /// Returns the code for the index of a slot or relationship, after those of the superclass.
        func index(_ index: Int, after count: String) -> String {
            inheritsEntity ? "\(superclass).\(count) + \(index)" : "\(index)"
        }
    }

    extension ClassDeclSyntax {
        /// The attribute `@MainActor`, if the class has it.
        fileprivate var isolation: AttributeSyntax? {
            attributes.compactMap { $0.as(AttributeSyntax.self) }.first {
                $0.attributeName.trimmedDescription == "MainActor"
            }
        }

        /// The first type after the colon.
        var superclass: String? {
            inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
        }
    }

    extension AttributeSyntax {
        /// Returns the text of an argument.
        func argument(labeled label: String) -> String? {
            guard case .argumentList(let list)? = arguments else { return nil }
            return list.first { $0.label?.text == label }?.expression.trimmedDescription
        }

        /// Returns the texts of the values that follow a label.
        func arguments(labeled label: String) -> [String] {
            guard case .argumentList(let list)? = arguments,
                let first = list.firstIndex(where: { $0.label?.text == label })
            else { return [] }
            let more = list[list.index(after: first)...].prefix { $0.label == nil }
            return ([list[first]] + more).map(\.expression.trimmedDescription)
        }

        /// The options among the arguments, which are the ones before the first label.
        var options: [OptionSyntax] {
            guard case .argumentList(let list)? = arguments else { return [] }
            // A slice keeps its location in the file. A new list would be another tree without a
            // location.
            return list.prefix { $0.label == nil }.compactMap { OptionSyntax($0.expression) }
        }

        /// The string before the options.
        var entityName: String? {
            guard case .argumentList(let list)? = arguments, let first = list.first,
                first.label == nil
            else { return nil }
            return first.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        }

        func hasOption(_ name: String) -> Bool { options.contains { $0.name == name } }

        /// The texts of the arguments before the first label.
        var plainArguments: [String] {
            guard case .argumentList(let list)? = arguments else { return [] }
            return list.prefix { $0.label == nil }.map(\.expression.trimmedDescription)
        }
    }
#endif

#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// Finds problems of an entity as a whole.
    struct EntityCheck {
        let entity: EntityDeclaration
        let declaration: ClassDeclSyntax
        let attribute: AttributeSyntax

        func problems(in context: some MacroExpansionContext) -> [Diagnostic] {
            [scope(context), abstract, columns, identity, hookList].compactMap { $0 }
                + names + unstored + initializers + rules
        }

        /// Reports a class inside a function, because other code cannot write its key paths.
        private func scope(_ context: some MacroExpansionContext) -> Diagnostic? {
            let isLocal = context.lexicalContext.contains {
                $0.is(FunctionDeclSyntax.self) || $0.is(ClosureExprSyntax.self)
                    || $0.is(InitializerDeclSyntax.self) || $0.is(AccessorDeclSyntax.self)
            }
            if !isLocal { return nil }
            return Diagnostic(
                "\(entity.name) is local to a function. Declare entities in a file or in a type.",
                at: declaration.name)
        }

        /// Reports a final abstract class: it can have no subclasses, and so no objects.
        private var abstract: Diagnostic? {
            guard entity.isAbstract,
                let final = declaration.modifiers.first(where: { $0.name.text == "final" })
            else { return nil }
            return Diagnostic(
                "\(entity.name) is abstract, so its objects are those of subclasses, which a final "
                    + "class cannot have. Remove final, or .abstract.", at: final)
        }

        private var columns: Diagnostic? {
            var seen: [String: String] = [:]
            for property in entity.slots where !property.isRenamed {
                let name = property.name.trimmingBackticks
                let other = seen.updateValue(name, forKey: name.lowercased())
                // The compiler itself reports a duplicate name.
                guard let other, other != name else { continue }
                return Diagnostic(
                    "\(other) and \(name) would share a column, because SQLite does not tell upper case "
                        + "from lower. Give one of them another name with .stored(as:).",
                    at: property.pattern)
            }
            return nil
        }

        private var identity: Diagnostic? {
            let unique = entity.properties.filter(\.isUnique)
            if unique.count < 2 || !entity.identity.isEmpty { return nil }
            return Diagnostic(
                "\(entity.name) has several unique attributes: say which one imported rows are known "
                    + "by, as in @Entity(identity: \\.\(unique[0].name)).", at: declaration.name,
                .warning)
        }

        /// Reports variables that look like properties but cannot be stored as they are.
        private var unstored: [Diagnostic] {
            declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
                .filter(\.marks.isEmpty).compactMap { variable in
                    if variable.isPlainConstant { return constant(variable) }
                    guard variable.isStorage else { return nil }
                    if variable.bindings.count > 1 { return several(variable) }
                    if variable.hasObservers { return observed(variable) }
                    let isComputed = variable.bindings.contains { $0.accessorBlock != nil }
                    return variable.hasWrapper && !isComputed ? wrapped(variable) : nil
                }
        }

        /// Reports initializers: only contexts create objects, because each object needs a row key.
        private var initializers: [Diagnostic] {
            declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
                .filter { !$0.isConvenience }.map {
                    Diagnostic(
                        "An entity has no initializer of its own: objects are made with "
                            + "\(entity.name).create(in: context, …), which has a parameter for each property. "
                            + "Write a static function that calls it.", at: $0.initKeyword)
                }
        }

        private func constant(_ variable: VariableDeclSyntax) -> Diagnostic {
            Diagnostic(
                "\(variable.names) must be a var: objects are filled when they are loaded. Write "
                    + "static, or private, before it where it is a constant.",
                at: variable.bindingSpecifier,
                fix: .write("Write var", (Syntax(variable.bindingSpecifier), "var")))
        }

        private func several(_ variable: VariableDeclSyntax) -> Diagnostic {
            Diagnostic(PropertyDeclaration.severalInOne, at: variable)
        }

        private func observed(_ variable: VariableDeclSyntax) -> Diagnostic {
            Diagnostic(
                "\(variable.names) is stored, and so cannot have willSet and didSet. Override willSave(), or "
                    + "set it through a computed property.",
                at: variable.bindings.first?.accessorBlock.map { Syntax($0) } ?? Syntax(variable))
        }

        private func wrapped(_ variable: VariableDeclSyntax) -> Diagnostic {
            Diagnostic(
                "\(variable.names) is not saved, because \(variable.attributes.trimmedDescription) keeps "
                    + "its value. Remove that, or make the property lazy or static.",
                at: variable.attributes, .warning)
        }

        /// Reports `lifeCycleHooks` in the class, because the macro writes that list.
        private var hookList: Diagnostic? {
            if !entity.listsHooks { return nil }
            return Diagnostic(
                "@Entity makes lifeCycleHooks of the hooks that stand in the class. Remove this one.",
                at: declaration.memberBlock.members.first { $0.decl.declaresHookList }.map {
                    Syntax($0.decl)
                } ?? Syntax(declaration.name), .warning)
        }

        /// Reports unknown names in the arguments of `@Entity`.
        ///
        /// The macro does not see inherited properties, so it checks nothing if the class inherits
        /// from another entity.
        private var names: [Diagnostic] {
            guard !entity.inheritsEntity else { return [] }
            let known = Set(entity.slots.map(\.name))
            return attribute.namedProperties.filter { !known.contains($0.name) }.map { name, node in
                Diagnostic(
                    "\(entity.name) has no attribute and no to-one relationship named \(name).",
                    at: node)
            }
        }
    }

    extension InitializerDeclSyntax {
        fileprivate var isConvenience: Bool {
            modifiers.contains { $0.name.text == "convenience" }
        }
    }

    extension VariableDeclSyntax {
        fileprivate var names: String {
            bindings.map(\.pattern.trimmedDescription).joined(separator: ", ")
        }

        /// Whether this is a constant of each object that looks like a property.
        ///
        /// A private constant with a value is allowed.
        fileprivate var isPlainConstant: Bool {
            let isHidden = modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
            return bindingSpecifier.tokenKind == .keyword(.let)
                && !modifiers.contains { ["static", "class"].contains($0.name.text) }
                && !(isHidden && bindings.allSatisfy { $0.initializer != nil })
        }

        fileprivate var hasObservers: Bool {
            bindings.contains { $0.accessorBlock?.isObserving ?? false }
        }
    }

    extension AccessorBlockSyntax {
        /// Whether the accessors only observe a stored value.
        fileprivate var isObserving: Bool {
            guard case .accessors(let list) = accessors else { return false }
            return list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
        }
    }

    extension AttributeSyntax {
        /// The properties that key paths in the arguments name.
        fileprivate var namedProperties: [(name: String, node: KeyPathExprSyntax)] {
            let finder = KeyPathFinder(viewMode: .sourceAccurate)
            finder.walk(self)
            return finder.found.compactMap { path in
                let text = path.trimmedDescription
                return text.hasPrefix("\\.") ? (String(text.dropFirst(2)), path) : nil
            }
        }
    }

    private final class KeyPathFinder: SyntaxVisitor {
        var found: [KeyPathExprSyntax] = []

        override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
            found.append(node)
            return .skipChildren
        }
    }
#endif

#if Macros
    import SwiftSyntax

    /// One thing that is said of a property or an entity: `.unique`, `.range(0...120)`.
    struct OptionSyntax {
        let name: String
        let expression: ExprSyntax
        /// Nil for an option without arguments.
        let call: FunctionCallExprSyntax?

        init?(_ expression: ExprSyntax) {
            self.expression = expression
            call = expression.as(FunctionCallExprSyntax.self)
            let callee = call?.calledExpression ?? expression
            guard let member = callee.as(MemberAccessExprSyntax.self) else { return nil }
            name = member.declName.baseName.text
        }

        /// The values of the arguments without a label.
        var values: [ExprSyntax] {
            call.map { $0.arguments.lazy.filter { $0.label == nil }.map(\.expression) } ?? []
        }
    }
#endif

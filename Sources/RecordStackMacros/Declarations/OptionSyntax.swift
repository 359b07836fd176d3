#if Macros
    import SwiftSyntax

    /// An option of a property or an entity, such as `.unique` or `.range(0...120)`.
    struct OptionSyntax {
        let name: String
        let expression: ExprSyntax
        /// The option's call, or nil for an option without arguments.
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

import RecordStackModel

extension SQLiteConnection {
    func members(_ request: MemberRequest, into sink: any MemberSink) throws {
        try reporting {
            if request.owners.isEmpty { return }
            let owners = LinkSchema.Owners(request.owners)
            let statement = try statement(.members(request.source, owners)) {
                LinkSchema(tables: tables).members(request.source, owners)
            }
            switch owners {
            case .one: try statement.bind(request.owners[0], at: 1)
            case .list: try statement.bind(.text(RequestBinder.json(request.owners)), at: 1)
            case .range:
                try statement.bind(request.owners[0], at: 1)
                try statement.bind(request.owners[request.owners.count - 1], at: 2)
            }
            defer { statement.reset() }
            let isOrdered = request.source.isOrdered
            while try statement.step() {
                sink.member(
                    statement.plainInteger(column: 1), of: statement.plainInteger(column: 0),
                    position: isOrdered ? statement.plainInteger(column: 2) : 0)
            }
        }
    }

    func memberCount(_ request: MemberRequest) throws -> Int {
        try reporting {
            let statement = try statement(.memberCount(request.source)) {
                LinkSchema(tables: tables).memberCount(request.source)
            }
            defer { statement.reset() }
            return try request.owners.reduce(0) { sum, owner in
                statement.reset()
                try statement.bind(owner, at: 1)
                return try statement.step() ? sum + Int(statement.integer(column: 0)) : sum
            }
        }
    }

    func hasLink(_ pair: LinkPair, in linkage: Int) throws -> Bool {
        try reporting {
            let linkage = tables.model.linkages[linkage]
            let statement = try statement(.hasLink(linkage.index)) {
                LinkSchema(tables: tables).exists(linkage)
            }
            defer { statement.reset() }
            try statement.bind(pair.first, at: 1)
            try statement.bind(pair.second, at: 2)
            return try statement.step() && statement.integer(column: 0) != 0
        }
    }
}

import CSQLite
import FoundationEssentials
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
                let member = statement.plainInteger(column: 1)
                let position = isOrdered ? statement.position(column: 2) : 0
                guard let position else { throw try wrongPosition(of: member, request.source) }
                sink.member(member, of: statement.plainInteger(column: 0), position: position)
            }
        }
    }

    private func wrongPosition(
        of member: Int64, _ source: MemberRequest.Source
    ) throws -> RecordStackError {
        let (entity, column) =
            switch source {
            case .slot(let slot, let entity, _):
                (entity, tables.positionColumn(entity: entity, slot: slot))
            case .links(let index, let end, _):
                (
                    tables.model.joinTables[index].end(end.other).entity,
                    end == .first ? SystemColumn.position : SystemColumn.inversePosition
                )
            }
        let id = try storedID(of: member, entity: entity)
        return RecordStackError(
            .corrupt,
            "The position of \(id) in an order is not valid: another program has written "
                + "\(column). Write an integer that is not near the largest or smallest, or null.",
            entity: tables.model.modelEntities[entity].name, objectID: id, property: column)
    }

    /// Returns the ID of a row, for an error.
    func storedID(of key: Int64, entity: Int) throws -> ManagedObjectID {
        let text = try metadata(Metadata.uuid)?.text
        let entity = tables.model.modelEntities[entity].description
        return ManagedObjectID(
            home: ManagedObjectID.Home(
                store: text.flatMap { UUID(uuidString: $0) } ?? .placeholder,
                entityName: entity.name, rootName: entity.root.name), key: key)
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

    func hasLink(_ joinRow: JoinRow, in joinTable: Int) throws -> Bool {
        try reporting {
            let joinTable = tables.model.joinTables[joinTable]
            let statement = try statement(.hasLink(joinTable.index)) {
                LinkSchema(tables: tables).exists(joinTable)
            }
            defer { statement.reset() }
            try statement.bind(joinRow.first, at: 1)
            try statement.bind(joinRow.second, at: 2)
            return try statement.step() && statement.integer(column: 0) != 0
        }
    }
}

extension SQLiteStatement {
    /// Returns a position in an order, which is 0 for null; nil for a value that is not valid.
    fileprivate func position(column: Int32) -> Int64? {
        let value = sqlite3_column_value(handle, column)
        switch sqlite3_value_type(value) {
        case SQLITE_NULL: return 0
        case SQLITE_INTEGER:
            let position = sqlite3_value_int64(value)
            return isOrderPosition(position) ? position : nil
        default: return nil
        }
    }
}

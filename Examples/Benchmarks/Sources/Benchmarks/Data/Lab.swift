/// What the contenders share: the data, the directory, and stores that are filled once.
final class Lab {
    let scale: Scale
    let directory: WorkDirectory
    let data: PersonData
    let ours: Ours
    private var filledFloor: RawConnection?
    private var filledGRDB: GRDBStore?
    private var filledGraph: String?
    private var filledOurGraph: String?

    init(scale: Scale, directory: WorkDirectory) {
        self.scale = scale
        self.directory = directory
        data = PersonData(scale: scale)
        ours = Ours(data: data, directory: directory)
    }

    /// The persons and what they are related to.
    private(set) lazy var graph = GraphData(data)

    /// J1.
    private(set) lazy var personJSON = PersonJSON.text(of: data.persons)

    /// J1, with a visit more of each person.
    private(set) lazy var visitedJSON = PersonJSON.text(of: visitedRows)

    /// J2.
    private(set) lazy var nestedJSON = NestedJSON.text(of: graph)

    /// The persons, each with a visit more.
    private(set) lazy var visitedRows = data.persons.map { row in
        var row = row
        row.visits += 1
        return row
    }

    /// What is saved one by one.
    var savedRows: [PersonRow] { Array(data.persons.prefix(scale.saves)) }

    /// The floors' connection to a file with all persons, for reading.
    func floor() throws -> RawConnection {
        if let filledFloor { return filledFloor }
        let path = directory.path("floor.sqlite")
        try PersonSchema.makeStore(at: path, data, filled: true)
        let connection = try RawConnection(path: path)
        filledFloor = connection
        return connection
    }

    /// The floors' file with the persons and what they are related to, which nobody writes to.
    func graphStore() throws -> String {
        if let filledGraph { return filledGraph }
        let path = directory.path("graph-floor.sqlite")
        try GraphSchema.makeStore(at: path, graph)
        filledGraph = path
        return path
    }

    /// The graph's file as RecordStack keeps it.
    func ourGraphStore() throws -> String {
        if let filledOurGraph { return filledOurGraph }
        let path = directory.path("graph-ours.sqlite")
        try graph.makeStore(at: path)
        filledOurGraph = path
        return path
    }

    /// GRDB with a file of its own with all persons, for reading.
    func grdb() throws -> GRDBStore {
        if let filledGRDB { return filledGRDB }
        let path = directory.path("grdb.sqlite")
        try PersonSchema.makeStore(at: path, data, filled: true)
        let store = try GRDBStore(path: path)
        filledGRDB = store
        return store
    }
}

/// The resources that the contenders share: the data, the directory, and stores filled once.
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

    /// The persons and their related objects.
    private(set) lazy var graph = GraphData(data)

    /// The text J1.
    private(set) lazy var personJSON = PersonJSON.text(of: data.persons)

    /// The text J1 with one more visit of each person.
    private(set) lazy var visitedJSON = PersonJSON.text(of: visitedRows)

    /// The text J2.
    private(set) lazy var nestedJSON = NestedJSON.text(of: graph)

    /// The persons, each with one more visit.
    private(set) lazy var visitedRows = data.persons.map { row in
        var row = row
        row.visits += 1
        return row
    }

    /// The persons that are saved one by one.
    var savedRows: [PersonRow] { Array(data.persons.prefix(scale.saves)) }

    /// Returns the floors' connection to a file with all persons, for reading.
    func floor() throws -> RawConnection {
        if let filledFloor { return filledFloor }
        let path = directory.path("floor.sqlite")
        try PersonSchema.makeStore(at: path, data, filled: true)
        let connection = try RawConnection(path: path)
        filledFloor = connection
        return connection
    }

    /// Returns the path of the floors' file with persons and related objects, which is only read.
    func graphStore() throws -> String {
        if let filledGraph { return filledGraph }
        let path = directory.path("graph-floor.sqlite")
        try GraphSchema.makeStore(at: path, graph)
        filledGraph = path
        return path
    }

    /// Returns the path of the same data in RecordStack's file.
    func ourGraphStore() throws -> String {
        if let filledOurGraph { return filledOurGraph }
        let path = directory.path("graph-ours.sqlite")
        try graph.makeStore(at: path)
        filledOurGraph = path
        return path
    }

    /// Returns GRDB on a separate file with all persons, for reading.
    func grdb() throws -> GRDBStore {
        if let filledGRDB { return filledGRDB }
        let path = directory.path("grdb.sqlite")
        try PersonSchema.makeStore(at: path, data, filled: true)
        let store = try GRDBStore(path: path)
        filledGRDB = store
        return store
    }
}

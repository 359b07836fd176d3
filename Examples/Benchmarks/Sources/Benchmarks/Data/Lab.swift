/// What the contenders share: the data, the directory, and stores that are filled once.
final class Lab {
    let scale: Scale
    let directory: WorkDirectory
    let data: PersonData
    let ours: Ours
    private var filledFloor: RawConnection?
    private var filledGRDB: GRDBStore?

    init(scale: Scale, directory: WorkDirectory) {
        self.scale = scale
        self.directory = directory
        data = PersonData(scale: scale)
        ours = Ours(data: data, directory: directory)
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

/// RecordStack's side: a contender for each workload, one file for each.
final class Ours {
    let data: PersonData
    let directory: WorkDirectory

    init(data: PersonData, directory: WorkDirectory) {
        self.data = data
        self.directory = directory
    }
}

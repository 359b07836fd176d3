import Foundation
import RecordStack

/// One line of the file.
@Entity final class Gauging: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var station: String
    @Attribute var level: Double?
    @Attribute var takenAt: Date
    @Attribute var remark: String?
}

/// Writes lines of about 170 bytes until the file is large enough.
/// - Returns: the number of lines.
func write(megabytes: Int, to url: URL) throws -> Int {
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
        throw CocoaError(.fileWriteUnknown)
    }
    let handle = try FileHandle(forWritingTo: url)
    var (lines, written) = (0, 0)
    while written < megabytes << 20 {
        var piece = ""
        for _ in 0..<5_000 {
            piece +=
                #"{"number":\#(lines),"station":"Station \#(lines % 300) upstream of the weir","#
            piece += #""level":\#(lines % 7 == 0 ? "null" : "\(lines % 900).25"),"#
            piece +=
                #""takenAt":"2026-03-01T10:00:00Z","remark":"nothing to be remarked \#(lines)"}"#
            piece += "\n"
            lines += 1
        }
        try handle.write(contentsOf: Data(piece.utf8))
        written += piece.utf8.count
    }
    try handle.close()
    return lines
}

/// Returns the peak memory of the process, in MB.
func mostResident() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
}

// Writes a file of lines, imports it, and prints the numbers of lines and rows and the memory used:
//     BigImport FOLDER MEGABYTES
let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let file = folder.appendingPathComponent("gaugings.ndjson")
let lines = try write(megabytes: Int(CommandLine.arguments[2])!, to: file)
let stack = try ContextStack(
    for: Gauging.self, at: .file(folder.appendingPathComponent("gaugings.sqlite").path))
var options = ImportOptions()
options.format = .ndjson
let report = try await stack.importJSON(.file(file), into: Gauging.self, options: options)
let stored = try await stack.read { try Gauging.count(in: $0) }
print("\(lines) \(report.inserted) \(stored) \(report.problems.count) \(try mostResident())")

import Dispatch
import Foundation

/// Removes the temporary files if the program is interrupted.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    init(removing directory: WorkDirectory) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                directory.remove()
                exit(128 + number)
            }
            source.activate()
            return source
        }
    }

    func end() {
        for source in sources { source.cancel() }
    }
}

// swift-tools-version: 6.2
import PackageDescription

/// True to build without macros, and so without swift-syntax, as the Dockerfile does.
///
/// The entities are then compiled in the form that `swift package write-entities` has written.
let isWritten = Context.environment["WRITTEN_ENTITIES"] != nil

let package = Package(
    name: "Container",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The package has a path and a name, so that it builds in a clone with any folder name.
        .package(name: "RecordStack", path: "../..", traits: isWritten ? [] : [.defaults])
    ],
    targets: [
        .executableTarget(
            name: "Container",
            dependencies: [.product(name: "RecordStack", package: "RecordStack")],
            exclude: [isWritten ? "Entities" : "Entities.written"],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ]
)

/// The settings of a `protocolProfileBehavior` that change what is sent: folders and requests inherit each on its own.
struct PostmanBehavior {
    /// False for URLs that are sent as they are written.
    var encodesURLs = true
    /// True for bodies that are sent with any method.
    var keepsBodies = false

    /// Returns the settings of a collection, a folder or a request in which these hold.
    func overridden(by value: ForeignValue?) -> PostmanBehavior {
        var behavior = self
        if let isOff = value?["disableUrlEncoding"]?.bool { behavior.encodesURLs = !isOff }
        if let isOff = value?["disableBodyPruning"]?.bool { behavior.keepsBodies = isOff }
        return behavior
    }

    /// The methods with which Postman sends no body by itself.
    static let methodsWithoutBody: Set<String> = ["GET", "HEAD", "COPY", "PURGE", "UNLOCK"]
}

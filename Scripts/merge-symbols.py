"""Merges the symbols of several modules into one module, for Scripts/docs.sh.

    python3 Scripts/merge-symbols.py MODULE FOLDER DESTINATION

A module that exports others has their symbols. In each symbol graph of a folder, the module becomes MODULE. Type aliases that
only repeat the name of one of the symbols are left out. Two modules that extend the same module or type extend it together.
"""

import json
import sys
from pathlib import Path

module, folder, destination = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
graphs = {file.name.removesuffix(".symbols.json"): json.loads(file.read_text()) for file in folder.glob("*.json")}
own = {name for name in graphs if "@" not in name}
types = {
    tuple(symbol["pathComponents"])
    for graph in graphs.values()
    for symbol in graph["symbols"]
    if symbol["kind"]["identifier"] in ("swift.class", "swift.struct", "swift.enum", "swift.protocol")
}
extensions = {}
for name, graph in sorted(graphs.items()):
    repeated = {
        symbol["identifier"]["precise"]
        for symbol in graph["symbols"]
        if symbol["kind"]["identifier"] == "swift.typealias" and tuple(symbol["pathComponents"]) in types
    }
    graph["symbols"] = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in repeated]
    graph["relationships"] = [edge for edge in graph["relationships"] if edge["source"] not in repeated]
    graph["module"]["name"] = module
    extending, _, extended = name.partition("@")
    extended_types = {edge["source"]: edge["target"] for edge in graph["relationships"] if edge["kind"] == "extensionTo"}
    # Symbols of extended modules and types: for modules of this site, the types themselves replace them.
    same, dropped = {}, set()
    for symbol in graph["symbols"]:
        if not symbol["kind"]["identifier"].endswith(".extension"):
            continue
        identifier = symbol["identifier"]["precise"]
        if extended in own:
            dropped.add(identifier)
            same[identifier] = extended_types.get(identifier, identifier)
        else:
            key = (symbol["kind"]["identifier"], *symbol["pathComponents"], extended)
            same[identifier] = symbol["identifier"]["precise"] = extensions.setdefault(key, identifier)
    graph["symbols"] = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in dropped]
    graph["relationships"] = [
        {**edge, "source": same.get(edge["source"], edge["source"]), "target": same.get(edge["target"], edge["target"])}
        for edge in graph["relationships"]
        if edge["source"] not in dropped or edge["kind"] not in ("extensionTo", "declaredIn")
    ]
    # Extensions of the site's modules are plain members; extensions of other modules have a page for the extended module.
    file = f"{extending}-{extended}" if extended in own else f"{module}{extending}@{extended}" if extended else name
    (destination / f"{file}.symbols.json").write_text(json.dumps(graph))

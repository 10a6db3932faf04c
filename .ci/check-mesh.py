"""Reads GLB files of `terrane generate` with trimesh and checks every level's mesh: faces look up, their horizontal area
is the region's, inside a chunk each edge is used exactly twice, and chunks of a level close to one sheet.

Usage: check-mesh.py REPORT.json FILE.glb. The report of the same run says how large the region is.
"""

import json
import sys
from collections import defaultdict

import numpy as np
import trimesh


def levels(scene):
    """The chunks of each level as (name, mesh), in metres from the region's corner."""
    found = defaultdict(list)
    parents = scene.graph.transforms.parents
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        chunk = scene.geometry[geometry]
        vertices = trimesh.transform_points(chunk.vertices, transform)
        parent = parents[node]
        level = int(parent.split()[1]) if parent.startswith("level ") else 0
        # Without processing: the vertices and faces that the file has.
        found[level].append((node, trimesh.Trimesh(vertices, chunk.faces, process=False)))
    return dict(sorted(found.items()))


def edge_faults(mesh, corner, end):
    """Edges that are not used twice, those along the sides of a rectangle aside, which are used once."""
    edges, uses = np.unique(mesh.edges_sorted, axis=0, return_counts=True)
    ends = mesh.vertices[edges][:, :, [0, 2]]
    on_side = np.zeros(len(edges), dtype=bool)
    for axis in (0, 1):
        for line in (corner[axis], end[axis]):
            on_side |= (ends[:, :, axis] == line).all(axis=1)
    return int((uses != np.where(on_side, 1, 2)).sum())


def check_sheet(name, mesh, corner, end):
    """What is wrong with a mesh that should cover a rectangle, x then z."""
    faults = []
    # Twice the area seen from above, with the face's direction; y is up.
    up = mesh.triangles_cross[:, 1]
    if not (up > 0).all():
        faults.append(f"{int((up <= 0).sum())} faces do not look up")
    if not mesh.is_winding_consistent:
        faults.append("winding is not consistent")
    area, want = up.sum() / 2, (end[0] - corner[0]) * (end[1] - corner[1])
    if abs(area - want) > 1e-9 * want:
        faults.append(f"the horizontal area is {area} m2, not {want}")
    count = edge_faults(mesh, corner, end)
    if count > 0:
        faults.append(f"{count} edges are not used as often as they should be")
    if len(np.unique(mesh.faces)) != len(mesh.vertices):
        faults.append("vertices that no face uses")
    return [f"{name}: {fault}" for fault in faults]


def check_level(level, chunks, size):
    faults = []
    for name, chunk in chunks:
        corner, end = chunk.bounds[:, [0, 2]]
        faults += check_sheet(f"level {level}, {name}", chunk, corner, end)
    sheet = trimesh.util.concatenate([chunk for _, chunk in chunks])
    # Neighbours have the same border vertices, to the bit: after merging only the region's sides are open.
    sheet.merge_vertices()
    return faults + check_sheet(f"level {level}, all chunks", sheet, np.zeros(2), size)


def check_that_faults_are_found(level, chunks, size):
    """The checks above must be able to fail."""

    def damaged(change):
        return [(name, change(chunk.copy()) if name == first else chunk) for name, chunk in chunks]

    def flip(chunk):
        chunk.faces[7] = chunk.faces[7][::-1]
        return chunk

    def drop(chunk):
        chunk.update_faces(np.arange(len(chunk.faces)) != 7)
        return chunk

    def crack(chunk):
        # About one step of f32, on the side towards the neighbour.
        x, z = chunk.vertices[:, 0], chunk.vertices[:, 2]
        inner = (x == x.max()) & (z > z.min()) & (z < z.max())
        chunk.vertices[np.flatnonzero(inner)[0], 1] += 1e-5
        return chunk

    # One that has a neighbour, if any has.
    first = min(chunks, key=lambda chunk: chunk[1].bounds[0, 0])[0]
    changes = [flip, drop] + ([crack] if len(chunks) > 1 else [])
    for change in changes:
        if not check_level(level, damaged(change), size):
            return [f"level {level}: a planted fault ({change.__name__}) was not found"]
    return []


def main(report_path, glb_path):
    with open(report_path) as file:
        report = json.load(file)
    x0, z0, x1, z1 = report["region"]
    size = np.array([x1 - x0, z1 - z0]) * report["chunk_cells"] * report["sample_spacing_m"]
    found = levels(trimesh.load(glb_path, process=False))
    faults = []
    told = {level["level"]: level for level in report.get("levels", [])}
    if told and sorted(told) != sorted(found):
        faults.append(f"levels {sorted(found)} in the file, {sorted(told)} in the report")
    for level, chunks in found.items():
        triangles = sum(len(chunk.faces) for _, chunk in chunks)
        print(f"{glb_path}: level {level}, {len(chunks)} chunks, {triangles} triangles")
        if told and (len(chunks), triangles) != (told[level]["chunks"], told[level]["triangles"]):
            faults.append(f"level {level}: the report says {told[level]}")
        faults += check_level(level, chunks, size)
        faults += check_that_faults_are_found(level, chunks, size)
    for fault in faults[:20]:
        print(f"  {fault}")
    return 1 if faults or not found else 0


sys.exit(main(*sys.argv[1:]))

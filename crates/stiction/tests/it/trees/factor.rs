//! The factor of the articulated-body recursion beside the mass matrix.

use glam::DVec3;
use stiction::dynamics::tree::{Factor, ForceVector, Mobility, Tree};

use crate::trees::random::{Scene, dot, relative, unit};

/// Rows of L, from products with unit vectors.
fn rows_of_l(scene: &mut Scene) -> Vec<f64> {
    let n = scene.tree.dof_count();
    let mut l = vec![0.0; n * n];
    for column in 0..n {
        let mut z = unit(n, column);
        scene.tree.whiten_velocity(&scene.factor, &mut z, &mut scene.scratch);
        for (row, entry) in z.into_iter().enumerate() {
            l[row * n + column] = entry;
        }
    }
    l
}

#[test]
fn mass_matrix_is_the_product_of_its_factors() {
    for seed in 0..1000 {
        let mut scene = Scene::new(seed, 60);
        let n = scene.tree.dof_count();
        let matrix = scene.mass_matrix();
        let l = rows_of_l(&mut scene);
        let mut product = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                product[i * n + j] = (i.max(j)..n).map(|k| l[k * n + i] * l[k * n + j]).sum();
            }
        }
        assert!(relative(&product, &matrix, 0.0) < 1e-11, "seed {seed}");

        // The elimination along the branches gives the same factor, and only a positive definite matrix has one.
        let mut lower = matrix.clone();
        scene.tree.factor_matrix(&mut lower).expect("a positive definite matrix");
        for i in 0..n {
            lower[i * n + i + 1..(i + 1) * n].fill(0.0);
        }
        assert!(relative(&lower, &l, 0.0) < 1e-9, "seed {seed}: {:e}", relative(&lower, &l, 0.0));

        // Solves undo the products, and the two factors agree in them.
        let x = scene.random.list(n);
        let mut z = x.clone();
        scene.tree.whiten_velocity(&scene.factor, &mut z, &mut scene.scratch);
        scene.tree.unwhiten_velocity(&scene.factor, &mut z, &mut scene.scratch);
        assert!(relative(&z, &x, 0.0) < 1e-9, "seed {seed}");
        let (mut a, mut b) = (x.clone(), x.clone());
        scene.tree.whiten_force(&scene.factor, &mut a, &mut scene.scratch);
        scene.tree.unwhiten_velocity(&scene.factor, &mut a, &mut scene.scratch);
        scene.tree.solve_matrix_transposed(&lower, &mut b);
        scene.tree.solve_matrix(&lower, &mut b);
        assert!(relative(&a, &b, 0.0) < 1e-8, "seed {seed}: {:e}", relative(&a, &b, 0.0));
    }
}

#[test]
fn the_extra_diagonal_adds_to_the_mass_matrix() {
    for seed in 0..100 {
        let mut scene = Scene::new(seed, 40);
        let n = scene.tree.dof_count();
        let extra: Vec<f64> = scene.random.list(n).iter().map(|x| x * x).collect();
        scene.tree.factor(&scene.kin, &extra, &mut scene.factor).expect("a tree with inertia");
        let v = scene.random.list(n);
        let mut z = v.clone();
        scene.tree.whiten_velocity(&scene.factor, &mut z, &mut scene.scratch);
        let matrix = scene.mass_matrix();
        let energy: f64 = (0..n).map(|i| v[i] * (dot(&matrix[i * n..(i + 1) * n], &v) + extra[i] * v[i])).sum();
        assert!((dot(&z, &z) - energy).abs() < 1e-12 * energy, "seed {seed}");
    }
}

#[test]
fn whitened_wrenches_are_whitened_jacobians() {
    for seed in 0..1000 {
        let mut scene = Scene::new(seed, 60);
        let n = scene.tree.dof_count();
        let link = scene.random.below(scene.tree.link_count());
        let wrenches: [ForceVector; 3] = std::array::from_fn(|_| scene.random.wrench());
        let mut together = vec![[0.0; 3]; n];
        scene.tree.whiten_wrenches(&scene.factor, link, wrenches, |dof, y| together[dof] = y);
        for (index, wrench) in wrenches.iter().enumerate() {
            // Jᵀ f of the wrench, and L⁻ᵀ of it.
            let mut y: Vec<f64> = vec![0.0; n];
            for k in scene.tree.path(link) {
                y[k] = scene.kin.subspace()[k].dot(wrench);
            }
            scene.tree.whiten_force(&scene.factor, &mut y, &mut scene.scratch);
            let walked: Vec<f64> = together.iter().map(|y| y[index]).collect();
            assert!(relative(&walked, &y, 1e-3) < 1e-10, "seed {seed}");

            let mut alone = vec![0.0; n];
            scene.tree.whiten_wrench(&scene.factor, link, *wrench, |dof, y| alone[dof] = y);
            assert_eq!(alone, walked);
            let mut all = vec![ForceVector::ZERO; scene.tree.link_count()];
            all[link] = *wrench;
            let mut passed = vec![0.0; n];
            scene.tree.whiten_forces(&scene.factor, &all, &mut passed, &mut scene.scratch);
            assert!(relative(&passed, &walked, 1e-3) < 1e-12, "seed {seed}");
        }
        let dof = scene.random.below(n);
        let mut row = vec![0.0; n];
        scene.tree.whiten_unit(&scene.factor, dof, |k, y| row[k] = y);
        let mut expected = unit(n, dof);
        scene.tree.whiten_force(&scene.factor, &mut expected, &mut scene.scratch);
        assert!(relative(&row, &expected, 0.0) < 1e-12, "seed {seed}");
    }
}

#[test]
fn operational_inertia_is_that_of_the_jacobian() {
    for seed in 0..300 {
        let mut scene = Scene::new(seed, 30);
        let n = scene.tree.dof_count();
        let link = scene.random.below(scene.tree.link_count());
        let point = scene.random.vector();
        let mut jacobian = vec![0.0; 6 * n];
        scene.tree.jacobian(&scene.kin, link, point, &mut jacobian);
        let mut lower = scene.mass_matrix();
        scene.tree.factor_matrix(&mut lower).expect("positive definite");
        // Unit force and moment at the point along each axis, whitened: YᵀY = J M⁻¹ Jᵀ.
        let offset = scene.kin.offset(point);
        let axes = DVec3::AXES;
        let wrenches: [ForceVector; 6] = std::array::from_fn(|i| match i {
            0..3 => ForceVector::at(offset, DVec3::ZERO, axes[i]),
            _ => ForceVector::at(offset, axes[i - 3], DVec3::ZERO),
        });
        let mut y = vec![[0.0; 6]; n];
        scene.tree.whiten_wrenches(&scene.factor, link, wrenches, |dof, entries| y[dof] = entries);
        let (mut own, mut reference) = (Vec::new(), Vec::new());
        for i in 0..6 {
            let mut response = jacobian[i * n..(i + 1) * n].to_vec();
            scene.tree.solve_matrix_transposed(&lower, &mut response);
            scene.tree.solve_matrix(&lower, &mut response);
            for j in 0..6 {
                own.push(y.iter().map(|y| y[i] * y[j]).sum());
                reference.push(dot(&response, &jacobian[j * n..(j + 1) * n]));
            }
        }
        assert!(relative(&own, &reference, 1e-12) < 1e-8, "seed {seed}: {:e}", relative(&own, &reference, 1e-12));
    }
}

#[test]
fn the_structure_of_dofs_is_that_of_links() {
    for seed in 0..100 {
        let scene = Scene::new(seed, 60);
        let tree: &Tree = &scene.tree;
        for link in 0..tree.link_count() {
            let mut expected = Vec::new();
            let mut next = Some(link);
            while let Some(at) = next {
                expected.extend(tree.dof_span(at).rev());
                next = tree.parent(at);
            }
            assert_eq!(tree.path(link).collect::<Vec<_>>(), expected);
            assert!(tree.dof_span(link).all(|k| tree.dof_link(k) == link));
        }
    }
}

#[test]
fn a_factor_serves_any_tree_after_any_other() {
    let mut scene = Scene::new(7, 60);
    let fresh = |scene: &Scene| {
        let mut factor = Factor::default();
        scene.tree.factor(&scene.kin, &[], &mut factor).expect("inertia");
        factor.columns().to_vec()
    };
    for seed in [3, 40, 5, 12] {
        let mut other = Scene::new(seed, 60);
        std::mem::swap(&mut scene.factor, &mut other.factor);
        other.update();
        assert_eq!(other.factor.columns(), fresh(&other));
        std::mem::swap(&mut scene.factor, &mut other.factor);
    }
    // The last link of a branch has neither mass nor armature.
    let mut massless = scene.definitions.clone();
    let last = massless.len() - 1;
    massless[last].mass = massless[last].mass.with_mass(0.0);
    massless[last].mobility = Mobility::Revolute { axis: DVec3::X };
    let tree = Tree::new(&massless).expect("a tree");
    let mut q = vec![0.0; tree.position_count()];
    tree.zero_positions(&mut q);
    tree.positions(&q, &scene.base, DVec3::ZERO, &mut scene.kin);
    let error = tree.factor(&scene.kin, &[], &mut scene.factor).expect_err("nothing moves a massless link");
    assert_eq!((error.link, error.dof), (last, tree.dof_count() - 1));
    scene.update();
    assert_eq!(scene.factor.columns(), fresh(&scene));
}
